"""What people label as secret in words, in eleven languages, and what only looks like it."""

from __future__ import annotations

import pytest

from sleep.redaction import secret_forms, secret_scan

# What goes stands between two signs.
LABELLED = [
    "密码: ‹abc123›",
    "用户名/密码: x / ‹y7788›",
    "账号密码：admin/‹Admin@2024›",
    "用户名: a\n密码: ‹b4567›",
    "重置密码成功，新密码为 ‹123456›",
    "管理员账户（密码: ‹admin123›，需要在应用层加密）",
    "WiFi密码 ‹88888888›",
    "密码：\n\n```\n‹abc12345›\n```",
    "Password: ‹abc123›",
    "- **Password**: `‹admin123›`",
    "login/password: admin / ‹admin123›",
    "the admin password was changed to ‹Qazwsx12›",
    "Pi SSH pw ‹123456›",
    "Login: ada@example.com / ‹garden42›",
    "mot de passe : ‹abc123›",
    "- Mot de passe : `‹admin123›` (ou celui configuré dans `.env.local`)",
    "mdp: ‹azerty12›",
    "PASSWORT: ‹Sommer2024›",
    "Das Passwort lautet ‹geheim99›",
    "CONTRASEÑA: ‹clave99›",
    "usuario/contraseña: root / ‹toor55›",
    "la contraseña de producción es `‹prod77›`",
    "La password è ‹gatto77›",
    "Het wachtwoord is ‹tulp2024›",
    "A senha é ‹cafe2024›",
    "Пароль: ‹demo112›",
    "пароль от базы — ‹baza99›",
    "初期パスワードは「‹sakura77›」です",
    "임시 비밀번호는 ‹abcd1234› 입니다",
    "验证码：‹482913›",
    "Your verification code is ‹482913›.",
    "| 用户名 | 密码 |\n| --- | --- |\n| admin | ‹admin888› |",
    "Benutzer | Passwort\n--- | ---\nanna | ‹Herbst24›",
    "| pwd | user |\n|---|---|\n| ‹tulip-42-x› | ada |\n",
    "password: ‹correcthorse›",
    "- **Password:** `‹elephantwalk›`",
    'the staging password is "‹dragonfire›"',
    "Kennwort: ‹himbeertorte›",
    "le mot de passe du serveur est ‹grenouille›",
    "密码是‹ceshimima›",
    "DB_PASSWORD=‹supergeheim›\n",
    "curl -u admin:‹fluffybunny› https://example.com",
    "PIN: ‹4711›",
    "Der PIN lautet ‹2580›.",
    "my pin is ‹3321›",
    "PIN码是‹1357›",
    "PUK: ‹48392017›",
    "token:\n‹hT7kLmQ9vXz2RbN4wPcY›",
    "The webhook secret is:\n\n```\n‹whk5J3kL8mN2pQ7rT4vX9z›\n```",
    "API-Schlüssel:\n‹2Hj4Kl6Mn8Bv0Cx9Zy7Aw›",
    "助记词：‹legal winner thank year wave sausage worth useful legal winner thank yellow›",
]
INNOCENT = [
    'password = "test123"',
    '{"password": "password123"}',
    "db.password: admin123",
    "DB_PASSWORD_2: admin123",
    "password: sha256",
    "password: argon2id",
    "password: step2",
    "password: $PASS1",
    "password hash: abc123",
    "Password: required",
    "password: SecretStr",
    "The password is encrypted",
    "password: whatever you like",
    "Passwort: vergessen",
    "Passwort: verschlüsselt",
    "mot de passe : obligatoire",
    "La contraseña es obligatoria",
    "ls|ps|pwd|readlink|sort",
    "password: field2",
    "password varchar255",
    "token: string",
    "DB_PASSWORD=required\n",
    "GPIO pin: 1713",
    "PIN: 1200 mm",
    "SPIN: 4711",
    "token:\n  description: the access token",
    "token:\nsrc/lexer/token_reader_v2.py",
    "token:\nThe lexer returns it.",
    "Password: 123456 rows",
    "password: must be at least 8 characters",
    "mot de passe : 8 caractères minimum",
    "密码: bcrypt cost=10",
    "密码为 bcrypt12 哈希",
    "The password is 12-character at least",
    "| layer | pw |\n| --- | --- |\n| conv1 | 3x3x64 |",
    "pw: 32x32",
    "密码为 6-20位数字、字母或两者组合",
    "密码: 100000 次迭代",
    "密码：见 D-012",
    "验证码: 6位数字，TTL 5分钟",
    "パスワードは8文字以上",
    "비밀번호는 8자 이상",
    "Passwort: siehe Tresor 2",
    "пароль: обязателен",
    "verification code: 6 digits, TTL 5 minutes",
    "POST /auth/login/password: step1",
    "| 字段 | 密码 |\n| --- | --- |\n| 类型 | string |",
    "密钥: 存放在环境变量中",
    "the passport photo is v2beta1",
]


@pytest.mark.parametrize("text", LABELLED)
def test_what_a_person_labels_is_taken_out(text):
    """Behind a person's label a short value is a secret, alone and to its last sign."""
    before, secret, after = text.replace("›", "‹").split("‹")
    redacted, found = secret_scan.redact(before + secret + after)
    assert [(each.start, each.end) for each in found] == [(len(before), len(before) + len(secret))]
    assert redacted == f"{before}[REDACTED:{found[0].kind}]{after}"
    assert secret_scan.redact(redacted) == (redacted, [])


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_it_stays(text):
    """Code, rules for passwords, algorithms, counts and empty labels are no secrets."""
    assert secret_scan.find(text) == []


@pytest.mark.parametrize("tongue", ["de", "en", "es", "fr", "it", "ja", "ko", "nl", "pt", "ru", "zh"])
def test_each_language_has_its_names(tongue):
    """Each name of a password in each language is a label, in small letters and with a capital."""
    for name in secret_forms.NAMES[secret_forms.PASSWORD][tongue]:
        for written in (name, name.capitalize()):
            assert secret_scan.redact(f"- {written}: abc123.")[0] == f"- {written}: [REDACTED:password]."


@pytest.mark.parametrize("name", [name for names in secret_forms.NAMES[secret_forms.KEY].values() for name in names])
def test_a_key_is_long(name):
    """Behind the name of a key only what a machine made is one."""
    key = "q7Rt2" + "mZx9Lk4v" + "Bn8Pw3Hd"
    assert secret_scan.redact(f"{name}: {key}")[0] == f"{name}: [REDACTED:api-key]"
    assert secret_scan.find(f"{name}: abc123") == []
