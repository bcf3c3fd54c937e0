import type { Msats } from '../../lib/money/amount.ts'
import type { Movement, OperatorsView } from '../../tipping/tipping.ts'

/** Figures of the operators' page: the bot's side, and the service's side if it runs in the same process. */
export interface OperatorsFigures {
  readonly bot: OperatorsView
  readonly movement: Movement
  /** Names of people mentioned in alerts, by id; people whom Discord does not name are left out. */
  readonly names: ReadonlyMap<string, string>
  readonly testMoney: boolean
  /** When this process started. */
  readonly since: Date
  /** The provider's host, such as `127.0.0.1:8787`. */
  readonly provider: string
  /** The service's figures; undefined if the provider is another program, which alone knows them. */
  readonly service: ServiceSide | undefined
}

const MENTION = /<@(\d+)>/g

/** Returns the ids of the people whom a text mentions. */
export function mentionedIn(text: string): string[] {
  return [...text.matchAll(MENTION)].map(([, id = '']) => id)
}

/** Replaces each mention in a text with the person's name, or with `@` and their id if their name is not known. */
export function withNames(text: string, named: (id: string) => string | undefined): string {
  return text.replaceAll(MENTION, (_, id: string) => named(id) ?? `@${id}`)
}

/** The bundled service's state. Amounts are in msats, and undefined if the node does not report them. */
export interface ServiceSide {
  readonly node: {
    readonly ready: boolean
    /** Why the node is not ready, in words for operators. */
    readonly reason: string | undefined
    readonly spendable: Msats | undefined
    readonly receivable: Msats | undefined
  }
  readonly unknown: { readonly count: number; readonly oldestMs: number }
  readonly callbacks: { readonly waiting: number; readonly deadLettered: number; readonly oldestMs: number }
}
