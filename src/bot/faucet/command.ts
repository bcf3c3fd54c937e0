import type { Call, Command } from '../interactions/command.ts'
import { colour, panel, relative } from '../messages/panel.ts'

/**
 * Gives a member free test sats. The command is registered only if the sats are test sats; on other networks, tipping
 * would refuse it anyway.
 */
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
