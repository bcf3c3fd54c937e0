import type { Call, Command } from '../interactions/command.ts'
import { colour, panel, relative } from '../messages/panel.ts'

/** Registered only if the sats are test sats. On other networks, tipping refuses it in any case. */
export const faucet = {
  name: 'faucet',
  answer: 'private',
  where: 'anywhere',
  offered: (tipping) => tipping.faucet.amount !== undefined,
  options: {},
  async run({ member, caller: { accountSince }, origin, tipping, t }: Call) {
    const { amount, until } = await tipping.faucet.take({ member, accountSince, origin })
    return { say: { embeds: [panel(colour.done, t('faucet.given', { amount, until: relative(until) }))] } }
  },
} satisfies Command
