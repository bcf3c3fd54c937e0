import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { hashOfPass, type Operator } from './operator-sign-ins.ts'

/** All operators together. Far more than people have devices. */
export const MAX_PASSKEYS = 100
export const MAX_PASSKEY_LABEL = 40

/** A public key (WebAuthn) whose private half an operator's device or password manager keeps. */
export interface OperatorPasskey {
  /** The credential's id, base64url. */
  readonly id: string
  readonly operator: Operator
  /** The operator's label for it. */
  readonly label: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** Where it was made, such as `https://tips.example`. It works nowhere else. */
  readonly origin: string
  /** Derived from the operators' password of that day, if they signed in with it; else undefined. */
  readonly seal: string | undefined
  /** False after a restore, until its operator says that it is still theirs. */
  readonly isConfirmed: boolean
  readonly createdAt: Date
  readonly usedAt: Date | undefined
}

export type NewPasskey = Omit<OperatorPasskey, 'isConfirmed' | 'createdAt' | 'usedAt'> & {
  /** How often its authenticator says that it was used. */
  readonly counter: number
}

/** An operator's action with a passkey, in the session `session`. */
export interface PasskeyCommand {
  readonly id: string
  readonly operator: string
  readonly session: string
}

/**
 * The passkeys of operators. They are in the book: every bot of the book knows them, a backup has them, and a reader of
 * the book cannot sign in with them. The callee knows nothing of signatures: who calls has checked them.
 */
export interface OperatorPasskeys {
  /** All of them, the oldest first. */
  list(): Promise<OperatorPasskey[]>
  find(id: string): Promise<OperatorPasskey | undefined>
  /** Adds one, and has operators told. False if it is known already, or where there are too many. */
  add(passkey: NewPasskey): Promise<boolean>
  /**
   * Notes that it was used. False if its counter did not go up: somebody else may have a copy (WebAuthn, 6.1.1).
   * Operators are alerted, and it signs nobody in.
   */
  use(id: string, counter: number): Promise<boolean>
  /** Says that one of the operator's own, from a backup, is still theirs. False if there is none. */
  confirm(command: PasskeyCommand): Promise<boolean>
  /** Takes one away, of any operator, and ends all sessions of its operator but this one. Operators are told. False if there is none. */
  remove(command: PasskeyCommand): Promise<boolean>
}

type Parts = TippingContext
type Row = NonNullable<Awaited<ReturnType<Tx['operatorPasskey']['findUnique']>>>

export function createOperatorPasskeys(context: Parts): OperatorPasskeys {
  const { database, commit } = context
  return {
    async list() {
      const rows = await database.read.operatorPasskey.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
      return rows.map(viewOf)
    },
    async find(id) {
      const row = await database.read.operatorPasskey.findUnique({ where: { id } })
      return row === null ? undefined : viewOf(row)
    },
    add: (passkey) => add(context, passkey),
    use: (id, counter) => use(context, id, counter),
    confirm: ({ id, operator }) =>
      commit({
        write: async (tx) => {
          const where = { id, operator, isConfirmed: false }
          const { count } = await tx.operatorPasskey.updateMany({ where, data: { isConfirmed: true } })
          return count === 1
        },
      }),
    remove: (command) => remove(context, command),
  }
}

async function add(context: Parts, { operator, counter, seal, ...passkey }: NewPasskey): Promise<boolean> {
  return await context.commit({
    write: async (tx) => {
      const { id, label } = passkey
      const isKnown = (await tx.operatorPasskey.count({ where: { id } })) > 0
      if (isKnown || (await tx.operatorPasskey.count()) >= MAX_PASSKEYS) return false
      const data = { ...passkey, operator: operator.id, name: operator.name, counter: BigInt(counter) }
      await tx.operatorPasskey.create({ data: { ...data, seal: seal ?? null, createdAt: now(context) } })
      await tell(context, tx, `${person(operator.id)} added the passkey “${label}” to the console`)
      return true
    },
  })
}

async function use(context: Parts, id: string, counted: number): Promise<boolean> {
  const counter = BigInt(counted)
  return await context.commit({
    write: async (tx) => {
      // Authenticators that keep no counter always say 0.
      const isHigher = counted === 0 ? { counter: 0n } : { counter: { lt: counter } }
      const data = { counter, usedAt: now(context) }
      const { count } = await tx.operatorPasskey.updateMany({ where: { id, ...isHigher }, data })
      if (count === 1) return true
      const row = await tx.operatorPasskey.findUnique({ where: { id } })
      if (row === null) return false
      const said = `the passkey “${row.label}” of ${person(row.operator)} was refused: its counter went from ${row.counter} to ${counter}`
      await tell(
        context,
        tx,
        `${said}, so somebody may have a copy. Remove it in the console, and make another one.`,
        'passkey',
      )
      return false
    },
  })
}

async function remove(context: Parts, { id, operator, session }: PasskeyCommand): Promise<boolean> {
  return await context.commit({
    write: async (tx) => {
      const row = await tx.operatorPasskey.findUnique({ where: { id } })
      if (row === null) return false
      await tx.operatorPasskey.delete({ where: { id } })
      const sessions = { kind: 'session', operator: row.operator, hash: { not: hashOfPass(session) } }
      await tx.operatorPass.deleteMany({ where: sessions })
      const whose = row.operator === operator ? '' : ` of ${person(row.operator)}`
      await tell(context, tx, `${person(operator)} removed the passkey “${row.label}”${whose} from the console`)
      return true
    },
  })
}

async function tell(context: Parts, tx: Tx, text: string, kind: 'console' | 'passkey' = 'console'): Promise<void> {
  await raiseAlert(context, tx, { kind, about: context.entropy.uuid(), text })
}

function viewOf({ operator, name, counter: _, seal, usedAt, ...row }: Row): OperatorPasskey {
  return { ...row, operator: { id: operator, name }, seal: seal ?? undefined, usedAt: usedAt ?? undefined }
}
