import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import { confirmationOutcome } from '../confirmations/question.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { FROM_ANY, ownSource, poolToPay } from '../spending/from-pool.ts'

/** The length of each choice, in minutes. */
const WITHIN = { '15-minutes': 15, '1-hour': 60, '1-day': 24 * 60, '1-week': 7 * 24 * 60 } as const
const within = ['15-minutes', '1-hour', '1-day', '1-week'] as const

const options = {
  amount: { kind: 'text', required: true, longest: 40, suggest: suggestOwnAmounts },
  people: { kind: 'whole', smallest: 1, largest: 50 },
  'active-within': { kind: 'text', choices: within },
  role: { kind: 'role' },
  voice: { kind: 'yes-no' },
  ...FROM_ANY,
} as const satisfies Options

export const rain = {
  name: 'rain',
  answer: 'public',
  where: 'server',
  dryRun: true,
  options,
  async run(call: Call<typeof options>) {
    const { member: from, memberName: fromName, caller, members, origin, tipping } = call
    const guild = serverOf(call)
    const { amount, people, role, voice, 'active-within': chosen } = call.options
    const inVoice = voice ? members.inVoiceWith(guild, from) : undefined
    const holders = role === undefined || role.id === guild ? undefined : await members.withRole(guild, role.id)
    const pool = await poolToPay(call, call.options)
    const command = {
      ...{ from, fromName, guild, amount, people, origin, source: ownSource(call.options.from) },
      // Members of a voice channel need not also have written.
      activeWithinMinutes: inVoice && chosen === undefined ? undefined : WITHIN[chosen ?? '1-hour'],
      inVoice,
      among: holders?.map(({ id }) => id),
      role: holders && role?.id,
      accountSince: caller.accountSince,
      person: (id: string) => members.known(guild, id),
    }
    if (pool !== undefined) return { card: (await tipping.rain.fallFromPool({ ...command, pool })).card }
    const given = await tipping.rain.ask(command)
    return 'asked' in given ? confirmationOutcome(given, call.t) : { card: given.card }
  },
} satisfies Command<typeof options>
