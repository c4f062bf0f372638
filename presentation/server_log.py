"""The entries of a server's log in words: who did what, when."""

from play.community.news import KEY, LogAction, LogEntry, News
from play.ids import GuildId, Millis, UserId, is_person
from presentation.people import Names
from presentation.text import plain_name
from presentation.words.words import Words


async def describe_entry(news: News, words: Words, names: Names) -> str:
    """Returns the message of an entry. It mentions users, and the caller lets nobody be pinged."""
    entry = news.entry
    assert entry is not None, "news of the log have an entry"
    when = words.moment(news.made)
    by, subject = await _mention(entry.by, news.guild, names, words), await _subject(entry, news.guild, names, words)
    match entry.action:
        case LogAction.EXTENDED:
            time = words.duration(Millis(int(entry.detail[0])))
            return words("log.extended", when=when, by=by, subject=subject, number=news.about, time=time)
        case LogAction.BANNED:
            return _ban_text(entry, words, when, by, subject)
        case LogAction.UNBANNED:
            return words("log.entry.unbanned", when=when, by=by, subject=subject)
        case LogAction.NOTES_OFF:
            count = int(entry.detail[0])
            return words("log.notes_off", when=when, by=by, subject=subject, count=count)
        case LogAction.REMOVED:
            name = words.literal(plain_name(entry.detail[0]))
            return words("log.removed", when=when, by=by, subject=subject, name=name)
        case LogAction.SETTING:
            setting, *values = entry.detail
            before, after = (_value(text, setting, words) for text in values)
            name = words(f"log.setting.{setting.removeprefix(KEY)}") if setting.startswith(KEY) else setting
            return words("log.setting", when=when, by=by, setting=name, before=before, after=after)
        case _:
            name = words.literal(plain_name("".join(entry.detail)))
            return words(f"log.entry.{entry.action}", when=when, by=by, subject=subject, number=news.about, name=name)


def _value(text: str, setting: str, words: Words) -> str:
    """Returns a value of a setting in words."""
    if not text.startswith(KEY):
        return text
    value = text.removeprefix(KEY)
    return words(f"theme.{value}") if setting == f"{KEY}theme" else words(f"log.value.{value}")


def _ban_text(entry: LogEntry, words: Words, when: str, by: str, subject: str) -> str:
    reason, until = entry.detail
    lines = [
        words("log.banned.until", when=when, by=by, subject=subject, until=words.moment(Millis(int(until))))
        if until
        else words("log.banned", when=when, by=by, subject=subject)
    ]
    if reason:
        lines.append(words("log.reason", reason=words.literal(reason)))
    return "\n".join(lines)


async def _subject(entry: LogEntry, guild: GuildId, names: Names, words: Words) -> str:
    return "" if entry.subject is None else await _mention(entry.subject, guild, names, words)


async def _mention(user: UserId, guild: GuildId, names: Names, words: Words) -> str:
    """Returns a mention; of a user who was deleted, the words for that."""
    return words.mention(user, "" if is_person(user) else await names.of(user, guild))
