"""The small words of other languages: those that a question in them has, whatever it is about.

Owns the lists, and telling a question's language by them. Refuses what English has too where nothing else tells the
language: `die` and `door` are no small words there. The list of English is `words.STOP`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import words

if TYPE_CHECKING:
    from collections.abc import Iterable

# By language, folded: words that nearly every text has.
_SMALL = {
    "German": """
        was wer wen wem wessen wo wohin woher wann wie wieso weshalb warum wozu woruber womit welche welcher welches
        welchen welchem der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber denn
        weil dass ob wenn als zu zum zur im in am an auf aus bei beim mit nach von vom vor fur gegen ohne um uber unter
        durch seit bis zwischen ich du er sie es wir ihr mich dich uns euch ihn ihm ihnen mein meine dein deine sein
        seine unser unsere unseren unserer ihre ihren ist sind war waren bin bist wird werden wurde wurden worden habe
        haben hat hast hatte hatten kann konnen soll sollen sollte muss mussen will wollen nicht noch auch nur schon
        sehr so da dann hier dort man sich diese dieser dieses diesen es gibt gab denn eigentlich
    """,
    "French": """
        qui que quoi quand comment pourquoi combien quel quelle quels quelles le la les un une des du de au aux
        et ou mais donc si car ce cet cette ces dans en sur sous par pour avec sans chez vers entre depuis jusque je tu
        il elle on nous vous ils elles me te se lui leur leurs mon ma mes ton ta tes son sa ses notre nos votre vos est
        sont etait etaient etre ete ai as a avons avez ont avait avaient avoir fait faire ne pas plus y dont tout tous
        toute toutes peut doit sommes etes
    """,
    "Spanish": """
        que quien quienes cual cuales cuando donde como cuanto cuantos por porque para el la los las un una unos unas
        lo al del de y o pero si en con sin sobre entre desde hasta segun hacia yo tu ella nosotros ellos ellas me te
        se nos le les mi mis su sus nuestro nuestra nuestros nuestras es son era eran fue fueron ser esta estan estaba
        he has ha hemos han habia hay no ya muy mas tambien este estos estas ese esa eso esto hicimos hizo
    """,
    "Italian": """
        che chi cosa quale quali quando dove come perche quanto quanti il lo la i gli le un uno una di a da in con su
        per tra fra del dello della dei degli delle al allo alla ai agli alle dal dalla nel nello nella nei nelle sul
        sulla sui e o ma se io tu lui lei noi voi loro mi ti ci vi si mio mia nostro nostra nostri suo sua sono era
        erano stato stata ho hai ha abbiamo avete hanno aveva non piu anche questo questa questi queste quello quella
    """,
    "Portuguese": """
        que quem qual quais quando onde como por porque quanto quantos o a os as um uma uns umas de do da dos das em no
        na nos nas ao aos pelo pela para com sem sobre entre desde ate e ou mas se eu tu ele ela eles elas nossa nosso
        nossos nossas meu minha seu sua foi foram era eram ser sao esta estao estava tem temos tinha ha nao ja muito
        mais tambem este esta isto isso esse essa
    """,
    "Dutch": """
        wat wie waar wanneer waarom hoe hoeveel welke welk de het een en of maar want dat die dit deze als om te in op
        aan bij met naar van voor tegen zonder over onder door sinds tot tussen uit ik jij je hij zij ze wij we jullie
        u hem haar hun ons onze mijn jouw is zijn was waren ben bent wordt worden werd werden heb hebt heeft hebben had
        hadden kan kunnen zal zullen moet moeten wil willen niet nog ook er geen
    """,
}
# Words that say what is asked for, in any of them.
_ASKING = """
    entschieden beschlossen entscheiden entscheidung entscheidungen besprochen diskutiert gesagt vereinbart gewahlt
    zusammenfassung decidons discute choisi convenu decidido decidimos decidiu
    acordado acordamos hablado discutido discutimos elegido resumen deciso decidiamo discusso scelto riassunto
    escolhido escolhemos resumo besloten beslist besproken gekozen afgesproken samenvatting passiert
"""
# What English has too, besides its own small words.
_ENGLISH = frozenset(
    """
    die war den man hat will bin bis sein comment pour son sur car chez me on des dans sous ton ma mon ten has he come
    per dove era sole made tot door of had hun ben wie wand want kan wet de la le el van von da di du os as do no i a e
    o u y plus pas mais tout fait ai un para par se si lo al ha ho est en sans tu te il es et ob um im mi my nova san
    uns hem hoe die dit met naar
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_BY = {name: frozenset(said.split()) for name, said in _SMALL.items()}
# Small and asking words of which none is missed where a memory lacks it.
NOT_MISSED = frozenset().union(*_BY.values(), _ASKING.split()) - _ENGLISH - words.STOP
# What Chinese has in any question; longer ones first, for a shorter may be a part of one.
_CHINESE = """
    为什么 什么时候 有没有 是不是 能不能 可不可以 要不要 会不会 怎么样 什么 怎么 怎样 如何 为何 多少
    哪一个 哪个 哪些 哪里 哪儿 何时 几个 我们 你们 他们 她们 它们 咱们 自己 这个 那个 这些 那些 这里
    那里 一个 一些 一下 时候 现在 目前 之前 之后 以后 以前 应该 可以 需要 必须 能够 已经 还是 或者
    以及 而且 但是 因为 所以 如果 那么 然后 关于 对于 请问 告诉 没有 不是 就是 都是 的 了 吗 呢 吧
    们 是 我 你 他 她 它 这 那 谁
"""
_TELLING = 2  # different words that tell a language


def small(said: Iterable[str]) -> frozenset[str]:
    """Return the small words of the language that these folded words are of; none where they may be English."""
    telling = {word for word in said if word in NOT_MISSED}
    if len(telling) < _TELLING:
        return frozenset()
    return max(_BY.values(), key=lambda own: len(own & telling))


def without_small(text: str) -> str:
    """Return a question without the small words of Chinese, which has no spaces to tell them by."""
    return _chinese().sub(" ", text) if words.has_wide(text) else text


@lru_cache(maxsize=1)
def _chinese() -> re.Pattern[str]:
    return re.compile("|".join(_CHINESE.split()))
