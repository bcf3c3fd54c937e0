import { parse } from 'tldts'

/**
 * Text that Discord turns into a link or a card: an address with a scheme, `www.`, an invite; and a host with a path,
 * of which another app may make one. No e-mail or Lightning Address.
 */
const LINK =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]*:\/\/|(?:mailto|tel|sms|data|javascript):|www\.|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?[/?#])[^\s`]*/giu
const MENTION_OF_ALL = /@(?=everyone|here)/gi

/** A text of one line with each link as code, which leads nowhere; `outside` treats what is between them. */
export function linksAsCode(line: string, outside: (text: string) => string): string {
  let [shown, at] = ['', 0]
  for (const { 0: link, index } of line.matchAll(LINK)) {
    shown += `${outside(line.slice(at, index))}\`${link}\``
    at = index + link.length
  }
  return shown + outside(line.slice(at))
}

/** The same text, with no @everyone or @here that Discord would paint: a character without a width is in between. */
export function withoutMentionOfAll(text: string): string {
  return text.replaceAll(MENTION_OF_ALL, '@\u200b')
}

/** Whether a text has a link, or a host that could be made one: `evil.example/x`, `discord.gg/x`, `evil.com`. */
export function hasLink(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  if (plain.search(LINK) >= 0) return true
  return plain.split(/[\s()[\]<>"'`|,;!*_~]+/).some((word) => isHost(word.replaceAll(/^[/\\]+|[.:]+$/g, '')))
}

/** A word that is a host's name under a suffix where anybody can have one. An address `name@host` is none. */
function isHost(word: string): boolean {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}.-]*\.\p{L}{2,}(?::\d+)?$/u.test(word)) return false
  const { domain, isIcann } = parse(word)
  return domain !== null && isIcann === true
}
