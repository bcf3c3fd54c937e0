import { readFileSync } from 'node:fs'
import { EMPTY_NAME, isEmptyName } from '../lib/empty-name.ts'
import { balanceProofShape, faultsOfBalance } from '../lib/proofs/balance-proof.ts'
import { claimIn, type DrawProof, drawProofShape, faultsOfDraw, strengthOfDraw } from '../lib/proofs/draw-proof.ts'
import { help } from './satchel-help.ts'

/**
 * `npm run verify -- FILE`: checks the proof of a giveaway or of a balance, without a network, a database or a secret.
 * Exits with 0 only if the proof holds.
 */

interface Verdict {
  readonly faults: readonly string[]
  /** The facts that the proof shows if it is valid, one a line. */
  readonly shown: readonly string[]
}

function verify(file: string): Verdict {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const draw = drawProofShape.safeParse(content)
  if (draw.success) return verdictOnDraw(draw.data)
  const balance = balanceProofShape.safeParse(content)
  if (balance.success) return verdictOnBalance(balance.data)
  const kind = (content as { kind?: unknown } | null)?.kind
  const issues = (kind === 'satchel-balance' ? balance : draw).error.issues
  return { faults: issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`), shown: [] }
}

function verdictOnDraw(proof: DrawProof): Verdict {
  return {
    faults: faultsOfDraw(proof),
    shown: [
      `Giveaway ${proof.giveaway}: ${proof.entrants.length} entrants, ${proof.won.length} winners.`,
      ...proof.won.map((member) => `  ${claimIn(proof) === undefined ? 'won        ' : 'drawn      '}  ${member}`),
      ...proof.drawnAgain.map((member) => `  drawn again  ${member}`),
      ...claimLines(proof),
      'Compare these with the messages in the channel:',
      `  commitment, published at the start    ${proof.commitment}`,
      `  entrants, published before the seed   ${proof.entrantsHash}`,
      ...strengthLines(proof),
    ],
  }
}

/** Lists the claims round by round. Each further round continues in the same drawn order. */
function claimLines(proof: DrawProof): string[] {
  const claim = claimIn(proof)
  if (claim === undefined) return []
  const rounds = claim.rounds.flatMap(({ named, claimed, until }, nth) => [
    `  round ${nth + 1}: ${claimed.length} of ${named.length} claimed before ${until}`,
    ...claimed.map(({ member, at }) => `    ${member} at ${at}`),
  ])
  const end =
    claim.settledAt === null
      ? 'Prizes can still be claimed: the file of a later day says who did.'
      : `By ${claim.settledAt}, every prize was claimed or returned.`
  const cutShort = 'Prizes were returned although others were in line, because the bot was being wound down.'
  return [
    `Prizes had to be claimed within ${claim.minutes} minutes:`,
    ...rounds,
    end,
    ...(claim.cutShort ? [cutShort] : []),
  ]
}

/** Says who could have known the draw's outcome early or influenced it; docs/VERIFY.md has the details. */
function strengthLines(proof: DrawProof): string[] {
  const strength = strengthOfDraw(proof)
  if (strength.kind === 'seed-only') {
    return ['No public beacon is in this draw: anybody who could read the secret seed could compute it before the end.']
  }
  const beacon = `drand's round ${strength.round} of ${strength.at.toISOString()}`
  if (strength.kind === 'beacon-missed') {
    return [
      `It was to mix in ${beacon}, which the bot did not get within a day.`,
      'So the seed alone drew: anybody who could read it could compute the draw before the end. That round may be public all the same:',
      'if it is, ask the operators why they did not use it.',
    ]
  }
  const { hashLeadMs } = strength
  if (hashLeadMs === undefined) return [`It mixes in ${beacon}, which nobody knew when entry closed.`]
  const seconds = (Math.abs(hashLeadMs) / 1_000).toFixed(1)
  return hashLeadMs > 0
    ? [
        `It mixes in ${beacon}. The entrants' hash was published ${seconds} s before it,`,
        'in the message whose id is in the file: so nobody, not even the operators, could choose the outcome.',
      ]
    : [
        `It mixes in ${beacon}. The entrants' hash was published ${seconds} s after it,`,
        'so operators could have changed the list of entrants after they knew the outcome. Is anybody missing in it?',
      ]
}

function verdictOnBalance(proof: Parameters<typeof faultsOfBalance>[0]): Verdict {
  return {
    faults: faultsOfBalance(proof),
    shown: [
      `The balance of member ${proof.member} on ${proof.at} was ${proof.balanceMsats} msats,`,
      `and it is part of the ${proof.totalMsats} msats that are owed in total.`,
      'Compare these with /status or the status page, at the same time:',
      `  root   ${proof.root}`,
      `  total  ${proof.totalMsats} msats`,
    ],
  }
}

const [file, ...more] = process.argv.slice(2)
if (file === undefined || file.startsWith('-') || more.length > 0) {
  console.log(help('verify'))
  process.exit(file === '--help' ? 0 : 1)
}
if (isEmptyName(file)) {
  console.error(`${EMPTY_NAME} Name the file that /giveaway verify or /status verify:True gave you.`)
  process.exit(1)
}
try {
  const { faults, shown } = verify(file)
  if (faults.length === 0) console.log(['✓ The proof holds.', ...shown].join('\n'))
  else console.error(['✗ The proof does not hold:', ...faults.map((fault) => `  - ${fault}`)].join('\n'))
  process.exit(faults.length === 0 ? 0 : 1)
} catch (error) {
  const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
  const given = 'what /giveaway verify or /status verify:True gave you'
  // The parser's message quotes the file, which may contain control sequences for a terminal.
  const detail = error instanceof SyntaxError ? '' : ` (${error instanceof Error ? error.message : String(error)})`
  console.error(`${file} ${why}${detail}. Save ${given} once more, as it is, and name that file.`)
  process.exit(1)
}
