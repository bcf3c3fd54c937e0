/**
 * What it takes to answer a command later: Discord's interaction token, good for fifteen minutes. It is written into a
 * record's origin as one string, so that a card can be finished after a restart.
 */
export interface ReplyToken {
  readonly application: string
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const LIFETIME_MS = 15 * 60_000
/** An edit that leaves here before the end may arrive after it. */
const MARGIN_MS = 15_000

/** The token of an interaction that arrived at `now`. */
export function replyToken(application: string, token: string, now: number): ReplyToken {
  return { application, token, expiresAt: now + LIFETIME_MS - MARGIN_MS }
}

export function writeReplyToken({ application, token, expiresAt }: ReplyToken): string {
  return `${application} ${expiresAt} ${token}`
}

/** Undefined when the string is not of ours, as with a command that came another way. */
export function readReplyToken(text: string): ReplyToken | undefined {
  const [application, expiresAt, token] = text.split(' ')
  if (application === undefined || token === undefined || !/^\d+$/.test(expiresAt ?? '')) return undefined
  return { application, token, expiresAt: Number(expiresAt) }
}
