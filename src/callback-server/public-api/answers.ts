import { z } from 'zod'
import { SPANS } from '../../tipping/tipping.ts'

/** What the public API answers, as schemas: the answers are typed by them, and the document is made from them. */

const time = z.string().meta({ format: 'date-time' }).describe('ISO 8601, UTC.')
const amount = (meaning: string) => z.string().regex(/^\d+$/).describe(`${meaning} In millisatoshis.`)
const person = z.string().regex(/^\d+$/).describe("A member's Discord id.")
const wholes = (meaning: string) => z.int().min(0).describe(meaning)

const about = {
  server: z.string().regex(/^\d+$/).describe("The server's Discord id."),
  testMoney: z.boolean().describe('Whether these are test sats, which are worth nothing.'),
}

const ranked = z.strictObject({ member: person, amountMsats: amount('What they gave, or got.') })

export const leaderboardAnswer = z
  .strictObject({
    ...about,
    period: z.enum(SPANS),
    since: time,
    givers: z.array(ranked).max(10).describe('Who gave most, the largest sum first.'),
    getters: z.array(ranked).max(10).describe('Who got most, the largest sum first.'),
  })
  .meta({ title: 'Leaderboard' })

export const statsAnswer = z
  .strictObject({
    ...about,
    period: z.enum(SPANS),
    since: time,
    totalMsats: amount('All that was given.'),
    gifts: wholes('Tips, shares of drops, prizes.'),
    givers: wholes('Different people who gave something.'),
    getters: wholes('Different people who got something.'),
    largestMsats: amount('The largest gift.'),
    bars: z
      .array(z.strictObject({ from: time, amountMsats: amount('What was given.'), gifts: wholes('How many gifts.') }))
      .describe('Hours, days or months, the oldest first.'),
  })
  .meta({ title: 'Stats' })

const drop = z.strictObject({
  id: z.string(),
  channel: z.string().regex(/^\d+$/).describe("The channel's Discord id."),
  member: person.nullable().describe('Who gives; null where they would rather not be named.'),
  shareMsats: amount('What each share is worth.'),
  shares: wholes('How many there are.'),
  taken: wholes('How many were taken.'),
  drawn: z.boolean().describe('Everybody may enter, and the shares are drawn at the end.'),
  puzzle: z.enum(['phrase', 'sum', 'trivia']).nullable().describe('What must be solved first.'),
  closesAt: time,
})

export const dropsAnswer = z
  .strictObject({ ...about, drops: z.array(drop).max(25).describe('Those that are open, the newest first.') })
  .meta({ title: 'Drops' })

export const problemAnswer = z
  .strictObject({ success: z.literal(false), message: z.string(), code: z.string() })
  .meta({ title: 'Problem' })

export type LeaderboardAnswer = z.input<typeof leaderboardAnswer>
export type StatsAnswer = z.input<typeof statsAnswer>
export type DropsAnswer = z.input<typeof dropsAnswer>
