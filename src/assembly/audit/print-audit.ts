import { formatSats } from '../../lib/money/amount.ts'
import type { AuditReport, BookReport, CoverReport, Finding } from './audit.ts'
import type { NodeReport } from './findings.ts'

/** How many open operations of a book are listed; any further ones are only counted. */
const MAX_LISTED = 20
const DAY_MS = 86_400_000

/**
 * Formats an audit for people, in sats: a table for each book, the comparisons with the wallet and with the Lightning
 * node, and the differences.
 */
export function printAudit(report: AuditReport): string {
  const lines = [`Audit of ${report.at.toISOString()}`]
  for (const book of report.books) lines.push('', ...printBook(book, report.at))
  if (report.cover) lines.push('', ...printCover(report.cover))
  if (report.node) lines.push('', ...printNode(report.node))
  for (const pause of report.paused) lines.push(`  Outgoing payments are paused. ${pause}`)
  lines.push('')
  if (report.holds) lines.push('✓ Everything agrees.')
  else lines.push(`✗ ${report.findings.length} difference${report.findings.length === 1 ? '' : 's'}:`)
  return [...lines, ...report.findings.map(printFinding)].join('\n')
}

/** Formats a difference and its advice as lines of a list. */
export function printFinding({ side, operation, what, advice }: Finding): string {
  return [
    `  - ${side}: ${what}`,
    ...(operation ? [`    operation: ${operation}`] : []),
    `    what to do: ${advice}`,
  ].join('\n')
}

function printBook({ side, file, proof, open, findings }: BookReport, at: Date): string[] {
  const title = side === 'bot' ? 'The bot’s book' : 'The service’s book'
  if (proof === undefined) return [`${title} (${file}) cannot be read as this version’s book.`]
  const rows = Object.entries(proof.totals).map(([kind, total]) => [kind, formatSats(total)] as const)
  const width = Math.max(...rows.map(([, amount]) => amount.length), 1)
  return [
    `${title} (${file})`,
    ...rows.map(([kind, amount]) => `  ${kind.padEnd(16)}${amount.padStart(width)} sats`),
    `  ${proof.accounts} accounts, ${proof.entries} entries, ${proof.moves} moves: ${findings.length === 0 ? 'proven' : 'NOT proven'}`,
    `  open operations: ${open.length}`,
    ...open
      .slice(0, MAX_LISTED)
      .map(
        ({ noun, state, amount, operation, owner, since }) =>
          `    ${noun} ${operation ?? owner}: ${state}, ${formatSats(amount)} sats, for ${age(at.getTime() - since.getTime())}`,
      ),
    ...(open.length > MAX_LISTED ? [`    … and ${open.length - MAX_LISTED} more (--json lists all)`] : []),
  ]
}

function printCover({ expected, mayHaveLeft, mayHaveArrived, wallet }: CoverReport): string[] {
  const range = `${formatSats(expected - mayHaveLeft)} … ${formatSats(expected + mayHaveArrived)}`
  return [
    'The books against the wallet',
    `  the provider must hold ${mayHaveLeft + mayHaveArrived === 0n ? formatSats(expected) : range} sats`,
    `  the provider holds     ${wallet === undefined ? 'could not be asked' : `${formatSats(wallet)} sats`}`,
  ]
}

function printNode({ kind, comparison, notes }: NodeReport): string[] {
  if (comparison === undefined) return [`The service’s book against the ${kind} node: it could not be asked`]
  const { booked, holds, beyond, mayHaveLeft, commitFees, untoldFees, withdrawable, balances } = comparison
  const optional = (label: string, amount: bigint | undefined) =>
    amount === undefined || amount === 0n ? [] : [`  ${label} ${formatSats(amount)} sats`]
  return [
    `The service’s book against the ${kind} node`,
    `  by the book the node holds  ${formatSats(booked)} sats`,
    `  the node says               ${formatSats(holds)} sats`,
    ...optional('of that, the operator’s own', beyond),
    ...optional('may lack: payments that have just ended', mayHaveLeft),
    ...optional('may lack: kept back for closing channels', commitFees),
    ...optional('may lack: fees that the node does not tell', untoldFees),
    ...optional('on its way in:', balances.arriving),
    `  wallets could withdraw      ${formatSats(withdrawable)} sats`,
    ...optional('the node can send', balances.spendable),
    ...optional('the node can receive', balances.receivable),
    ...notes.map((note) => `  Note: ${note}`),
  ]
}

function age(ms: number): string {
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} days`
  const minutes = Math.max(Math.floor(ms / 60_000), 0)
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`
}
