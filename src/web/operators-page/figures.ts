import type { Msats } from '../../lib/money/amount.ts'
import type { Movement, OperatorsView } from '../../tipping/tipping.ts'

/** Figures of the operators' page: the bot's side, and the service's where it runs in the same process. */
export interface OperatorsFigures {
  readonly bot: OperatorsView
  readonly movement: Movement
  /** What people are called who are mentioned in alerts, by id; those whom Discord does not name are left out. */
  readonly names: ReadonlyMap<string, string>
  readonly testMoney: boolean
  /** Since when this process runs. */
  readonly since: Date
  /** The provider's host, such as `127.0.0.1:8787`. */
  readonly provider: string
  /** Undefined if the provider is another program: then only it knows. */
  readonly service: ServiceSide | undefined
}

const MENTION = /<@(\d+)>/g

/** Ids of the people whom a text mentions. */
export function mentionedIn(text: string): string[] {
  return [...text.matchAll(MENTION)].map(([, id = '']) => id)
}

/** A text with names in place of mentions; a number where there is none. */
export function withNames(text: string, named: (id: string) => string | undefined): string {
  return text.replaceAll(MENTION, (_, id: string) => named(id) ?? `@${id}`)
}

/** How the bundled service stands. Amounts in msats; undefined if the node does not report them. */
export interface ServiceSide {
  readonly node: {
    readonly ready: boolean
    /** Why it is not ready, in words for operators. */
    readonly reason: string | undefined
    readonly spendable: Msats | undefined
    readonly receivable: Msats | undefined
  }
  readonly unknown: { readonly count: number; readonly oldestMs: number }
  readonly callbacks: { readonly waiting: number; readonly deadLettered: number; readonly oldestMs: number }
}
