import { type APIEmbedField, inlineCode, spoiler } from 'discord.js'
import type { NodeState, StatusView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import type { Message, TextFile } from '../messages/message.ts'
import { colour, moment, panel, relative, small } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'

const options = { verify: { kind: 'yes-no' } } as const satisfies Options

export const status = {
  name: 'status',
  answer: 'public',
  where: 'anywhere',
  options,
  // Only they may see the proof, and that they asked for it.
  isPrivate: ({ verify }: Call<typeof options>['options']) => verify === true,
  async run({ member, options: { verify }, tipping, t, toAll }: Call<typeof options>) {
    const { administration } = tipping
    if (!verify) {
      const [view, node] = await Promise.all([administration.status(), administration.node()])
      return { say: statusMessage(view, node, toAll) }
    }
    const proof = await tipping.administration.balanceProof(member)
    const name = `balance-${proof.at.slice(0, 10)}.json`
    const files: TextFile[] = [
      {
        name,
        contentType: 'application/json',
        text: `${JSON.stringify(proof, undefined, 2)}\n`,
        alt: t('status.alt'),
      },
    ]
    const facts = {
      amount: BigInt(proof.balanceMsats),
      total: BigInt(proof.totalMsats),
      when: relative(new Date(proof.at)),
      root: inlineCode(proof.root),
    }
    const embed = panel(colour.done, t('status.ownPart', facts), {
      title: t('status.ownTitle'),
      footer: t('status.offline', { file: name }),
    })
    return { say: { embeds: [embed], files } }
  },
} satisfies Command<typeof options>

/** Shows liabilities and holdings, with the time of their proof. */
export function statusMessage(
  { proven, inFlight, paused }: StatusView,
  node: NodeState | undefined,
  t: Translator,
): Message {
  const title = t('status.title')
  const moving =
    inFlight.oldestSince === undefined
      ? t('status.nothingInFlight')
      : t('status.inFlightSince', { count: inFlight.count, when: moment(inFlight.oldestSince) })
  const fields: APIEmbedField[] = [{ name: t('status.inFlight'), value: moving }]
  if (node !== undefined) fields.push({ name: t('status.node.title'), value: t(`status.node.${node}`) })
  const stopped =
    paused === undefined ? '' : t(`status.paused.${paused.source}`, { reason: quotable(paused.reason, 300) })
  if (proven === undefined) {
    return { embeds: [panel(colour.inFlight, [t('status.notYet'), stopped], { title, fields })] }
  }
  const { at, holds, owed, wallet, root } = proven
  const when = relative(at)
  const verdict =
    wallet === undefined ? t('status.unreachable', { when }) : t(holds ? 'status.holds' : 'status.broken', { when })
  // Both are as old as the last audit, and somebody who has just paid in looks for their sats here.
  const asOf = (figure: string) => `${figure}\n${small(when)}`
  fields.unshift(
    { name: t('status.owed'), value: asOf(t.amount(owed)), inline: true },
    {
      name: t('status.wallet'),
      value: asOf(wallet === undefined ? t('status.walletUnknown') : t.amount(wallet)),
      inline: true,
    },
  )
  fields.push({ name: t('status.root'), value: `${small(spoiler(inlineCode(root)))}\n${small(t('status.verify'))}` })
  const edge = !holds ? colour.refused : wallet === undefined ? colour.inFlight : colour.done
  return { embeds: [panel(edge, [verdict, stopped], { title, fields })] }
}
