/**
 * What is needed to answer a command later: Discord's interaction token, valid for fifteen minutes. A record's origin
 * stores all of this as one string, so that a card can be finished after a restart.
 */
export interface ReplyToken {
  readonly application: string
  readonly token: string
  /** The time until which the token is used, in milliseconds since 1970. */
  readonly expiresAt: number
  /** Whether the card is not the command's answer, but a message below it. */
  readonly follows?: true
  /**
   * Whether the bot is not a member of the place, and so can neither send nor change messages there without the token.
   */
  readonly guest?: true
}

const LIFETIME_MS = 15 * 60_000
/** The margin before a token's end, because an edit that is sent before the end may arrive after it. */
const MARGIN_MS = 15_000

/** Returns the token of an interaction that arrived at `now`. */
export function replyToken(
  { applicationId: application, token }: { readonly applicationId: string; readonly token: string },
  now: number,
  guest: boolean,
): ReplyToken {
  return { application, token, expiresAt: now + LIFETIME_MS - MARGIN_MS, ...(guest && { guest }) }
}

/** Returns the reply token for a separate message below the answer. */
export function following(reply: ReplyToken): ReplyToken {
  return { ...reply, follows: true }
}

const FOLLOWS = 'follows'
const GUEST = 'guest'

export function writeReplyToken({ application, token, expiresAt, follows, guest }: ReplyToken): string {
  return [application, expiresAt, token, ...(follows ? [FOLLOWS] : []), ...(guest ? [GUEST] : [])].join(' ')
}

/** Reads a stored token. Returns undefined if the text is not a reply token, as for a command that came another way. */
export function readReplyToken(text: string): ReplyToken | undefined {
  const [application, expiresAt, token, ...marks] = text.split(' ')
  if (application === undefined || token === undefined || !/^\d+$/.test(expiresAt ?? '')) return undefined
  return {
    ...{ application, token, expiresAt: Number(expiresAt) },
    ...(marks.includes(FOLLOWS) && { follows: true }),
    ...(marks.includes(GUEST) && { guest: true }),
  }
}
