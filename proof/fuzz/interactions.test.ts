import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import type { Press } from '../../src/bot/interactions/command.ts'
import { splitCustomId } from '../../src/bot/interactions/handlers.ts'
import { CommandRefusal } from '../../src/bot/refusals/command-refusal.ts'
import { buttons } from '../../src/bot/registry/buttons.ts'
import { decodeInvoice, InvalidInvoice } from '../../src/lib/lightning/bolt11.ts'
import { decodeLnurl, InvalidLnurl, looksLikeLnurl, parseLightningAddress } from '../../src/lib/lightning/lnurl.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { readAmount } from '../../src/tipping/core/read-amount.ts'
import { TippingRefusal } from '../../src/tipping/core/tipping-refusal.ts'
import { TippingWorld } from '../../test/tipping/world.ts'
import { cases, hostileText, seeded } from './hostile.ts'

let world: TippingWorld
let before: string

beforeAll(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
  await world.linked('alice')
  before = await journal()
})

afterAll(() => world.close())

async function journal(): Promise<string> {
  const moves = await world.database.read.move.aggregate({ _count: true, _sum: { amount: true } })
  return `${moves._count} moves of ${moves._sum.amount} msats`
}

/** Accepts only a refusal from the closed set that people are shown, or success. Any other error is a bug. */
async function refusedOrDone(work: () => unknown, said: unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    const expected = error instanceof TippingRefusal || error instanceof CommandRefusal
    if (!expected) throw new Error(`${JSON.stringify(said)} made ${String(error)}`, { cause: error })
  }
}

describe('the bot under hostile input', () => {
  it('reads each text as an amount within the limits or refuses it with an explanation', {
    timeout: 300_000,
  }, async () => {
    const rates = { toMsats: () => sats(1) }
    const limits = { smallest: sats(1), largest: sats(1_000_000), rates }
    const typed = fc.oneof(
      hostileText,
      fc.tuple(hostileText, hostileText).map((both) => both.join(' ')),
    )
    const property = fc.asyncProperty(typed, fc.bigInt({ min: 0n, max: 2_000_000_000n }), async (text, balance) => {
      await refusedOrDone(() => {
        const amount = readAmount(text, limits, msats(balance))
        expect(amount >= limits.smallest && amount <= limits.largest, text).toBe(true)
      }, text)
    })
    await fc.assert(property, { numRuns: cases(32), ...seeded })
  })

  it('reads LNURLs, addresses and invoices, or refuses them with a known error', {
    timeout: 300_000,
  }, async () => {
    const prefix = fc.constantFrom('', 'lnbc', 'lnbc1', 'LNURL1', 'lightning:', 'lnurlp://', 'keyauth://', 'a@')
    const property = fc.property(prefix, hostileText, (start, text) => {
      const readers = [decodeInvoice, decodeLnurl, looksLikeLnurl, parseLightningAddress]
      for (const read of readers) {
        try {
          read(start + text)
        } catch (error) {
          expect(error instanceof InvalidInvoice || error instanceof InvalidLnurl, `${read.name} ${start}${text}`).toBe(
            true,
          )
        }
      }
    })
    await fc.assert(property, { numRuns: cases(17), ...seeded })
  })

  it('does not fail on hostile amounts, notes, gamertags, codes and destinations', { timeout: 300_000 }, async () => {
    const wrong = hostileText.filter((text) => {
      try {
        readAmount(
          text,
          { smallest: msats(1n), largest: sats(100_000_000), rates: { toMsats: () => sats(1) } },
          sats(1_000),
        )
        return false
      } catch {
        return true
      }
    })
    const { tipping } = world
    const property = fc.asyncProperty(wrong, hostileText, fc.nat(6), async (amount, text, verb) => {
      const origin = world.origin()
      const common = { member: 'alice', amount, origin }
      const verbs = [
        () => tipping.tips.send({ from: 'alice', to: [{ id: 'bob', bot: false }], amount, note: text, origin }),
        () => tipping.deposits.open(common),
        () => tipping.links.link({ member: 'alice', gamertag: `${text}\u0000`, origin }),
        () => tipping.invoices.create({ ...common, description: text }),
        () => tipping.withdrawals.ask({ ...common, to: text }),
        () => tipping.vouchers.redeem({ member: `somebody ${text}`, code: `no ${text}`, origin }),
        () => tipping.vouchers.create({ ...common, description: text }),
      ]
      await refusedOrDone(() => verbs[verb]?.(), { verb, amount, text })
    })
    await fc.assert(property, { numRuns: cases(2), ...seeded })
  })

  it('does not fail if a pressed button’s custom id was never issued', { timeout: 300_000 }, async () => {
    const t = createTranslators(() => true)('en')
    const pressable = buttons.filter((button) => 'press' in button)
    // Discord allows 100 characters.
    const record = hostileText.map((text) => text.slice(0, 80))
    const property = fc.asyncProperty(fc.nat(pressable.length - 1), record, async (which, text) => {
      const button = pressable[which]
      if (button === undefined) return
      const [verb, record] = splitCustomId(`${button.verb}:${text}`)
      expect(verb).toBe(button.verb)
      const press = {
        ...{
          member: 'alice',
          memberName: 'alice',
          userName: 'alice',
          guild: 'guild',
          origin: world.origin(),
          record,
          t,
          inLanguageOf: () => t,
        },
        ...{ tipping: world.tipping, log: silentLogger, asked: new Date(world.clock.now()) },
        caller: {
          ...{ accountSince: new Date(0), memberSince: new Date(0), roles: [] },
          ...{ manager: false, moderates: async () => false, administrator: false },
        },
        members: { find: async () => undefined },
      } as unknown as Press
      await refusedOrDone(() => button.press(press), { button: button.verb, text })
    })
    await fc.assert(property, { numRuns: cases(2), ...seeded })
  })

  it('changes no balance', async () => {
    await world.settle()
    expect(await journal()).toBe(before)
  })
})
