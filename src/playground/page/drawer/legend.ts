import { html, type VNode } from '../html.ts'

type Side = 'bot' | 'service'

const accounts: Readonly<Record<Side, Readonly<Record<string, string>>>> = {
  bot: {
    wallet:
      'What the payments service holds for the bot. Below zero, because it is the other side of everything below.',
    member: 'What a person can spend.',
    held: 'On its way out. It comes back, or it has arrived: nothing is guessed.',
    pot: 'Inside a drop or a giveaway.',
    pool: 'A server’s money for rewards.',
    suspense: 'Received, and nobody knows yet for whom.',
    operator: 'The operator’s own money. It pays fees and losses.',
  },
  service: {
    node: 'What the Lightning node holds. Below zero, because it is the other side of everything below.',
    wallet: 'What a user or a project can spend. The bot is a project.',
    in_flight: 'On its way over Lightning. It comes back, or it has arrived.',
    voucher_escrow: 'Inside a voucher that nobody has redeemed yet.',
    fee_income: 'Fees that vouchers brought.',
    suspense: 'Received, and nobody knows yet for whom.',
    operator: 'The operator’s own money. It pays fees and losses.',
  },
}

const steps: Readonly<Record<string, string>> = {
  post: 'Final: the money has moved.',
  reserve: 'Set aside, before anything is sent.',
  void: 'Given back: it is proven that nothing was sent.',
}

/** Explains an account of a book; undefined for a kind without an explanation. */
export function wordsOfAccount(side: Side, kind: string): string | undefined {
  return accounts[side][kind]
}

/** Explains a step of an entry by the word before its number: `reserve:1` is a `reserve`. */
export function wordsOfStep(step: string): string | undefined {
  return steps[step.split(':')[0] ?? '']
}

/** Draws "What do these words mean?", which explains a book's words and is closed until a person opens it. */
export function Legend({ side }: { side: Side }): VNode {
  return html`<details class="legend">
    <summary>What do these words mean?</summary>
    <p>The sum of all accounts is zero: every sat has a place. The proof adds up all entries again.</p>
    <dl>${Object.entries(accounts[side]).map(line)}</dl>
    <p>An entry has a step:</p>
    <dl>${Object.entries(steps).map(line)}</dl>
  </details>`
}

function line([word, meaning]: [string, string]): VNode {
  return html`<div key=${word}><dt>${word.replaceAll('_', ' ')}</dt><dd>${meaning}</dd></div>`
}
