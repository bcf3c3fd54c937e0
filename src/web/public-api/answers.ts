import { z } from 'zod'
import { SPANS } from '../../tipping/tipping.ts'

/** The answers of the public API as schemas. Their types and the OpenAPI document are derived from them. */

/**
 * A Discord id as Discord writes it: a whole number of 63 bits. Discord also accepts leading zeros, but the books would
 * take such an id for another person.
 */
export const DISCORD_ID = /^(?:[1-9]\d{14,17}|[1-8]\d{18})$/

/** Matches the value of the header `Idempotency-Key`, by which a program identifies a reward. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/

const time = z.string().meta({ format: 'date-time' }).describe('ISO 8601, UTC.')
const amount = (meaning: string) => z.string().regex(/^\d+$/).describe(`${meaning} In millisatoshis.`)
const person = z.string().regex(/^\d+$/).describe("A member's Discord id.")
const wholes = (meaning: string) => z.int().min(0).describe(meaning)

const about = {
  server: z.string().regex(/^\d+$/).describe("The server's Discord id."),
  testMoney: z.boolean().describe('Whether the amounts are test sats, which are worth nothing.'),
}

const ranked = z.strictObject({ member: person, amountMsats: amount('The amount given or received.') })

export const leaderboardAnswer = z
  .strictObject({
    ...about,
    period: z.enum(SPANS),
    since: time,
    givers: z.array(ranked).max(10).describe('The top givers, the largest amount first.'),
    getters: z.array(ranked).max(10).describe('The top receivers, the largest amount first.'),
    unclaimedMsats: amount(
      'The amount that newcomers have been given but have not claimed yet. Until they do, it counts only for its givers. It does not include rewards.',
    ),
  })
  .meta({ title: 'Leaderboard' })

export const statsAnswer = z
  .strictObject({
    ...about,
    period: z.enum(SPANS),
    since: time,
    totalMsats: amount('The total given.'),
    gifts: wholes('The number of tips, shares of drops and prizes.'),
    givers: wholes('The number of people who gave.'),
    getters: wholes('The number of people who received.'),
    largestMsats: amount('The largest gift.'),
    unclaimedMsats: amount('The part of the total that newcomers have not claimed yet.'),
    bars: z
      .array(
        z.strictObject({ from: time, amountMsats: amount('The amount given.'), gifts: wholes('The number of gifts.') }),
      )
      .describe('Hours, days or months, the oldest first.'),
  })
  .meta({ title: 'Stats' })

const drop = z.strictObject({
  id: z.string(),
  channel: z.string().regex(/^\d+$/).describe("The channel's Discord id."),
  member: person.nullable().describe('The giver; null if they opted out of being named.'),
  shareMsats: amount('The amount of each share.'),
  shares: wholes('The number of shares.'),
  taken: wholes('The number of taken shares.'),
  drawn: z.boolean().describe('Whether everybody can enter, and a draw at the end decides.'),
  puzzle: z.enum(['phrase', 'sum', 'trivia']).nullable().describe('The puzzle to solve first.'),
  closesAt: time,
})

export const dropsAnswer = z
  .strictObject({ ...about, drops: z.array(drop).max(25).describe('The open drops, the newest first.') })
  .meta({ title: 'Drops' })

const MEMBER = 'must be a Discord id as a string, such as "123456789012345678"'
/**
 * The message for a wrong amount. Eighteen digits of msats exceed all the bitcoin there is, and still fit into an
 * amount.
 */
const AMOUNT = 'must be msats as a string of 1 to 18 digits that begins with 1 to 9, such as "21000" for 21 sats'
const REASON = 'must be a string of at most 200 characters'

export const rewardRequest = z
  .strictObject({
    member: z.string(MEMBER).regex(DISCORD_ID, MEMBER).describe("The receiver's Discord id."),
    amountMsats: z
      .string(AMOUNT)
      .regex(/^[1-9]\d{0,17}$/, AMOUNT)
      .describe('The amount. In millisatoshis: 1 sat is 1000.'),
    reason: z
      .string(REASON)
      .max(1_000, REASON)
      .describe('What it is for, at most 200 characters. Everybody in the server sees it.')
      .meta({ minLength: 1, maxLength: 200 }),
  })
  .meta({ title: 'NewReward' })

export const rewardAnswer = z
  .strictObject({
    id: z.string(),
    member: person,
    amountMsats: amount('The amount.'),
    testMoney: about.testMoney,
    reason: z.string(),
    state: z
      .enum(['given', 'waiting', 'paying', 'unclaimed', 'denied', 'returned', 'unpaid'])
      .describe(
        "`given`: the member has it. `waiting`: it is above the approval limit, and a second moderator decides. `unclaimed`: the member is new and has to claim it in Discord. `denied`, `returned`: it is back in the pool. Only if the server's own wallet pays: `paying`: the wallet was asked to pay, and has not proved that it did; `unpaid`: it paid nothing.",
      ),
  })
  .meta({ title: 'Reward' })

export const memberAnswer = z
  .strictObject({
    member: person,
    bot: z.boolean().describe('Whether it is a bot. Bots get no rewards.'),
    linked: z.boolean().describe('Whether they linked a gamertag, so that rewards go to their wallet.'),
  })
  .meta({ title: 'Member' })

export const eventAnswer = z
  .strictObject({
    type: z.enum(['tip', 'reward', 'drop', 'giveaway', 'pool-gift']).describe('Also the name of the event.'),
    at: time,
    channel: z.string().nullable().describe("The channel's Discord id; null if it belongs to no channel."),
    from: person
      .nullable()
      .describe('Who gave; null for the pool, for an anonymous tip, and for members who opted out of being named.'),
    to: person
      .nullable()
      .describe('Who received it; null while nobody has, and for members who opted out of being named.'),
    amountMsats: amount('The amount; of a drop or a giveaway, the whole amount.'),
    testMoney: about.testMoney,
  })
  .meta({ title: 'Event' })

export const problemAnswer = z
  .strictObject({ success: z.literal(false), message: z.string(), code: z.string() })
  .meta({ title: 'Problem' })

export type EventAnswer = z.input<typeof eventAnswer>
export type RewardAnswer = z.input<typeof rewardAnswer>
export type MemberAnswer = z.input<typeof memberAnswer>
export type LeaderboardAnswer = z.input<typeof leaderboardAnswer>
export type StatsAnswer = z.input<typeof statsAnswer>
export type DropsAnswer = z.input<typeof dropsAnswer>
