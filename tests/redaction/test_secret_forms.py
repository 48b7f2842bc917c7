"""Secrets in forms that one word announces, and what only looks like one; put together here, for scanners read too."""

from __future__ import annotations

import pytest

from sleep.redaction import secret_forms, secret_scan, secret_text


def joined(*parts):
    return "".join(parts)


FORMS = {
    "redis no user": "redis://:q7Gh2Lw9Pz@cache.internal:6379/0",
    "azure client secret": joined("client secret value: ", "Xy~8Q~", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2x", "Yz"),
    "azure secret bare": joined("aBc8Q~", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2x"),
    "azure sas": "https://x.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYz%2B%2F1A%3D",
    "tailscale": joined("tskey-", "auth-kAbCdEf1CNTRL-Ab3dE5fG7hI9jK1lM2nO4pQ6rS8t"),
    "tailscale api": joined("tskey-", "api-kXyZ12CNTRL-Ab3dE5fG7hI9jK1lM2nO4pQ6rS8t"),
    "replicate": joined("r8_", "Ab3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYz1"),
    "cookie": "Cookie: sessionid=8f3kq0zj2m9x7c5v1b4n6l; csrftoken=abcd",
    "set-cookie": "Set-Cookie: sid=s%3A8f3kq0zj2m9x7c5v1b4n6l.abc; Path=/; HttpOnly",
    "access_token url": "GET /api?access_token=8f3kq0zj2m9x7c5v1b4n6l&x=1",
    "django secret key": "SECRET_KEY=django-insecure-8f3k^q0z(j2m9x7c5v1b4n6l$",
    "django quoted": "SECRET_KEY = 'django-insecure-8f3k^q0z(j2m9x7c5v1b4n6l$'",
    "pwd with blanks": 'ADMIN_PWD="correct horse 7 battery"',
    "kube client-key-data": joined(
        "client-key-data: ", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVBeDd2"
    ),
    "docker auth": joined('{"auths": {"registry.example.com": {"auth": "', 'YWRhOnM5a2ZqMjNrbGRqZmxrczg="}}}'),
    "netrc": "machine git.example.org login ada password q7Gh2Lw9Pz",
    "name and password": "- Credentials: ada_l / Tu@lip2026!X (also stored encrypted)",
    "login": "**Login:** `ada@example.com` / `tulip!garden42`",
    "otpauth": "otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DP&issuer=Example",
    "key body": joined(
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDHu8k2",
        "\nQd7x1sV9aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYzQd7x1sV9aB3dE5fG7hI9",
    ),
    "chpasswd": "echo 'root:toor99' | sudo chpasswd",
    "sudo -S": "echo garden77 | sudo -S apt update",
    "docker login": "echo 'Garden?77' | docker login --username ada --password-stdin",
    "unzip": "unzip -o -P zipPass1 a.zip",
    "zip": "/usr/bin/zip -P zipPass1 a.zip src",
    "htpasswd": "htpasswd -bc .htpasswd ada letmein9",
    "plink": "plink -ssh root@10.0.0.1 -pw plink77",
    "openssl": "openssl rsa -passin pass:keyPass1 -in k.pem",
    "requirepass": "requirepass redisPw5",
    "psk": 'ssid=Home psk="homewifi22"',
    "MYSQL_PWD": "MYSQL_PWD=rootpw1 mysqldump app",
    "connection string": "Data Source=db;User ID=sa;Pwd=Qwerty!9",
    "the password is": "the password is tulip-garden-42",
    "table cell": "| user | password |\n| --- | --- |\n| ada | q7Gh2Lw9Pz |",
    "de colon": "Passwort: q7Gh2Lw9Pz",
    "de prose": "Das Passwort lautet q7Gh2Lw9Pz.",
    "de ist": "Das Passwort ist Tulpe-42!",
    "kennwort": "Kennwort: q7Gh2Lw9Pz",
    "kennwort ist": "Das Kennwort für den Server ist q7Gh2Lw9Pz",
    "zh": "密码：q7Gh2Lw9Pz",
    "zh shi": "数据库密码是 q7Gh2Lw9Pz",
    "ja": "パスワード: q7Gh2Lw9Pz",
    "ja ha": "パスワードは q7Gh2Lw9Pz です",
    "ru": "пароль: q7Gh2Lw9Pz",
    "ru2": "Пароль от базы — q7Gh2Lw9Pz",
    "es": "contraseña: q7Gh2Lw9Pz",
    "es es": "La contraseña es q7Gh2Lw9Pz",
    "fr": "mot de passe : q7Gh2Lw9Pz",
    "fr est": "le mot de passe est q7Gh2Lw9Pz",
}
INNOCENT = [
    "the password is required",
    "Credentials: stored / encrypted since 2024",
    "login: GET /auth/v2/callback",
    "Login: github / google2",
    "Credentials: env / Vault-2.1",
    "The password is stored in vault-42",
    "Das Passwort ist vergessen",
    "Passwort ist erforderlich",
    "密码是必需的",
    "пароль не нужен",
    "La contraseña es obligatoria",
    "mot de passe oublié",
    "Cookie: theme=dark",
    "the cookie is set by nginx",
    "?access_token=<token>",
    "?access_token=$TOKEN",
    "sig=abc",
    "auth: true",
    '"auth": "required"',
    "| field | password |\n| --- | --- |\n| type | string |\n| required | yes |",
    "SECRET_KEY=os.environ['SECRET_KEY']",
    "machine learning login page password reset",
    "the key MIIB is short",
    "a password table cell | x |",
    "Kennwort ändern",
    "пароль хранится в vault",
    "パスワードは必須です",
    "| name | password |\n|---|---|\n| ada | hunter |",
    "otpauth://totp/x?secret=SECRET",
    "client-key-data: LS0t...",
    "Set-Cookie: lang=en; Path=/",
    "Cookie: $COOKIE",
    "the password is in 1Password-2 now",
    "echo done1 | sudo tee /etc/x",
    "zip -r a.zip src -x tests2",
    "unzip -P $ZIPPASS a.zip",
    "wget https://example.com/a.zip -P data2024",
    "gzip -P 4cores",
    "openssl rsa -passin pass:$KEYPASS1",
    "OLDPWD=/srv/app2",
]


@pytest.mark.parametrize("name", FORMS)
def test_a_secret_in_a_form_is_taken_out(name):
    """Each form is found, once, and what stands around it stays."""
    text, found = secret_scan.redact(FORMS[name])
    assert len(found) == 1
    assert secret_scan.find(text) == []
    assert FORMS[name].startswith(text.partition("[")[0])


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_one_stays(text):
    """Placeholders, choices and sentences about passwords are no secrets."""
    assert secret_scan.find(text) == []


@pytest.mark.parametrize("form", sorted(FORMS))
def test_announced(form):
    """Whatever `find` would find is announced: a text of ASCII that announces nothing is not searched."""
    text = FORMS[form]
    raw, low, words = secret_text.project(text)
    spans = list(secret_forms.find(raw, low, words))
    assert spans == list(secret_forms.find(raw, low, secret_forms.announced(words)))
    assert not spans or secret_forms.announced(words)
    assert not secret_forms.announced(b"the build is green (7 of 7)\n")
