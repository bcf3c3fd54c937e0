import type { OperatorsFigures } from './figures.ts'

const PAUSED = {
  cover: 'Outgoing payments are paused by the audit',
  operator: 'Outgoing payments are paused by an operator',
  restore: 'Outgoing payments are paused because the books come from a backup',
} as const

/** What an operator has to look at now, each with what to do next; the most urgent first. */
export function whatNeedsThem({ bot, service }: OperatorsFigures): string[] {
  const { proven, paused } = bot.status
  const needs: string[] = []
  if (proven?.holds === false)
    needs.push('The books and the wallet did not agree. Use /admin audit, or run npm run audit.')
  if (paused !== undefined) {
    const next =
      paused.source === 'operator'
        ? 'Use /admin resume to end the pause.'
        : 'It ends when an audit finds everything right.'
    needs.push(`${PAUSED[paused.source]}: “${paused.reason}”. ${next}`)
  }
  const { length } = bot.unknown
  if (length > 0)
    needs.push(
      `${length} ${length === 1 ? 'payment has' : 'payments have'} an unknown outcome. Use /admin unknown, then /admin decide.`,
    )
  if (proven !== undefined && proven.wallet === undefined)
    needs.push('The provider did not tell what the wallet holds. Look whether it runs.')
  if (service?.node.ready === false)
    needs.push(service.node.reason ?? 'The Lightning node cannot be used. Look whether it runs.')
  const given = service?.callbacks.deadLettered ?? 0
  if (given > 0)
    needs.push(
      `${given} ${given === 1 ? 'callback was' : 'callbacks were'} given up. Mend the receiver, then npm run -s admin -- callbacks redeliver.`,
    )
  return needs
}
