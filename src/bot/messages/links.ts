import { parse } from 'tldts'

/**
 * Text that Discord converts to a link or a preview: an address with a scheme, `www.`, or an invite. Also matches a
 * host with a path, which another app may convert. E-mail and Lightning Addresses do not match.
 */
const LINK =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]*:\/\/|(?:mailto|tel|sms|data|javascript):|www\.|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?[/?#])[^\s`]*/giu
const MENTION_OF_ALL = /@(?=everyone|here)/gi

/**
 * Characters that end a sentence or a quotation after a link. A closing bracket belongs to the link if its opening
 * bracket does.
 */
const BEHIND = /(?:[.,:;!?…'"”“’‘»«›‹」』。、，！？]|(?<!\([^()]*)\))+$/u

/**
 * Returns a line in which each link is code, so that it cannot be followed. `outside` handles the text between links.
 */
export function linksAsCode(line: string, outside: (text: string) => string): string {
  let [shown, at] = ['', 0]
  for (const { 0: found, index } of line.matchAll(LINK)) {
    const link = found.replace(BEHIND, '')
    shown += `${outside(line.slice(at, index))}\`${link}\``
    at = index + link.length
  }
  return shown + outside(line.slice(at))
}

/** Returns the text with an invisible character in @everyone and @here, so that Discord does not highlight them. */
export function withoutMentionOfAll(text: string): string {
  return text.replaceAll(MENTION_OF_ALL, '@\u200b')
}

/** Whether a text contains a link, or a host that could become one: `evil.example/x`, `discord.gg/x`, `evil.com`. */
export function hasLink(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  if (plain.search(LINK) >= 0) return true
  return plain.split(/[\s()[\]<>"'`|,;!*_~]+/).some((word) => isHost(word.replaceAll(/^[/\\]+|[.:]+$/g, '')))
}

/** Whether a word is a host name under an official domain suffix. False for an address `name@host`. */
function isHost(word: string): boolean {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}.-]*\.\p{L}{2,}(?::\d+)?$/u.test(word)) return false
  const { domain, isIcann } = parse(word)
  return domain !== null && isIcann === true
}
