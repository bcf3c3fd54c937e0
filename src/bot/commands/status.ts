import { type APIEmbedField, inlineCode } from 'discord.js'
import type { StatusView } from '../../tipping/tipping.ts'
import type { Call, Command, Options } from '../command.ts'
import { colour, panel, relative } from '../look.ts'
import type { Message, TextFile } from '../message.ts'
import { quotable } from '../refusal-words.ts'
import type { Words } from '../words.ts'

const options = { verify: { kind: 'yes-no' } } as const satisfies Options

export const status = {
  name: 'status',
  answer: 'public',
  where: 'anywhere',
  options,
  // The proof is theirs alone; that they asked for it, too.
  isPrivate: ({ verify }: Call<typeof options>['options']) => verify === true,
  async run({ member, options: { verify }, tipping, words }: Call<typeof options>) {
    if (!verify) return { say: statusMessage(await tipping.oversight.status(), words) }
    const proof = await tipping.oversight.balanceProof(member)
    const name = `balance-${proof.at.slice(0, 10)}.json`
    const files: TextFile[] = [
      {
        name,
        contentType: 'application/json',
        text: `${JSON.stringify(proof, undefined, 2)}\n`,
        alt: words.say('status.alt'),
      },
    ]
    const facts = {
      amount: BigInt(proof.balanceMsats),
      total: BigInt(proof.totalMsats),
      when: relative(new Date(proof.at)),
      root: inlineCode(proof.root),
    }
    const embed = panel(colour.done, words.say('status.ownPart', facts), {
      title: words.say('status.ownTitle'),
      footer: words.say('status.offline', { file: name }),
    })
    return { say: { embeds: [embed], files } }
  },
} satisfies Command<typeof options>

/** What is owed and held, proven when. */
export function statusMessage({ proven, inFlight, paused }: StatusView, words: Words): Message {
  const title = words.say('status.title')
  const moving =
    inFlight.oldestSince === undefined
      ? words.say('status.nothingInFlight')
      : words.say('status.inFlightSince', { count: inFlight.count, when: relative(inFlight.oldestSince) })
  const fields: APIEmbedField[] = [{ name: words.say('status.inFlight'), value: moving }]
  const stopped =
    paused === undefined ? '' : words.say(`status.paused.${paused.source}`, { reason: quotable(paused.reason, 300) })
  if (proven === undefined) {
    return { embeds: [panel(colour.inFlight, [words.say('status.notYet'), stopped], { title, fields })] }
  }
  const { at, holds, owed, wallet, root } = proven
  const when = relative(at)
  const verdict =
    wallet === undefined
      ? words.say('status.unreachable', { when })
      : words.say(holds ? 'status.holds' : 'status.broken', { when })
  fields.unshift(
    { name: words.say('status.owed'), value: words.amount(owed), inline: true },
    {
      name: words.say('status.wallet'),
      value: wallet === undefined ? words.say('status.walletUnknown') : words.amount(wallet),
      inline: true,
    },
  )
  fields.push({ name: words.say('status.root'), value: inlineCode(root) })
  const footer = words.say('status.verify')
  const edge = !holds ? colour.refused : wallet === undefined ? colour.inFlight : colour.done
  return { embeds: [panel(edge, [verdict, stopped], { title, fields, footer })] }
}
