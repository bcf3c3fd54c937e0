import type { TipView } from '../../src/tipping/tipping.ts'
import type { Credit } from '../judge/holdings.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { note } from './tips.ts'

interface Given {
  readonly id?: string
  /** The tip; absent unless the balance covered it. */
  readonly tip?: TipView
  readonly invoiced?: { readonly request: string; readonly missing: bigint; readonly total: bigint }
}

/** Members without sats who tip by invoice: each tip is sent once its invoice is paid, without another command. */
export const tipsByInvoice: Actor = {
  name: 'tips by invoice',
  weight: 4,
  async act(stage) {
    const from = `short-${stage.chance.between(0, 4)}`
    const to = Array.from({ length: stage.chance.happens(0.8) ? 1 : 2 }, () => stage.member())
    const sats = stage.chance.between(1, stage.chance.one([300, 300, 1_500]))
    const origin = stage.origin()
    const command = {
      ...{ from, to: to.map((id) => ({ id, bot: false })), amount: String(sats), origin },
      announced: { ...origin, reply: '' },
    }
    const answer = await stage.insist<Given>(`${from} tips ${to} ${sats} without a balance`, async (tipping) => {
      const given = await tipping.invoicedTips.ask(command)
      if ('asked' in given || 'invoice' in given) return {}
      if (!('missing' in given)) return { id: given.id, tip: given }
      const { deposit, missing, total } = given
      const shown = await tipping.invoicedTips.view(deposit)
      if (shown?.total !== total) throw new Bug(`the invoice ${deposit} is for a tip of ${shown?.total}, not ${total}`)
      const { request } = await tipping.deposits.view(deposit)
      return { id: deposit, invoiced: { request, missing, total } }
    })
    if ('done' in answer) noteAnswer(stage, { from, to, sats }, answer.done, answer)
  },
}

function noteAnswer(
  stage: Stage,
  { from, to, sats }: { readonly from: string; readonly to: readonly string[]; readonly sats: number },
  { id, tip, invoiced }: Given,
  { span }: { readonly span: Parameters<typeof note>[2]['span'] },
): void {
  if (tip !== undefined) note(stage, tip, { from, typed: String(sats), split: false, to, span })
  if (id === undefined || invoiced === undefined) return
  const { request, missing, total } = invoiced
  const expected = BigInt(new Set(to).size * sats) * 1_000n
  if (total !== expected || missing > total || missing < 1_000n)
    throw new Bug(`${missing} msats are asked for a tip of ${total}, and ${expected} were meant`)
  stage.world.model.invoiced.set(id, { from, to: [...new Set(to)], total })
  const credit: Credit = (arrived, holdings) => holdings.give(from, arrived)
  stage.payables.push({ code: request, amount: missing, credit, counted: true })
}
