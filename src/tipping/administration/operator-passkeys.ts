import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { hashOfPass, type Operator } from './operator-sign-ins.ts'

/** The most passkeys of all operators together, which is far above the number of devices that operators have. */
export const MAX_PASSKEYS = 100
export const MAX_PASSKEY_LABEL = 40

/** A WebAuthn public key. An operator's device or password manager holds its private half. */
export interface OperatorPasskey {
  /** The credential's id in base64url. */
  readonly id: string
  readonly operator: Operator
  /** The operator's label for it. */
  readonly label: string
  /** The public key: COSE in base64url. */
  readonly publicKey: string
  /** The origin where the passkey was created, such as `https://tips.example`. The passkey works nowhere else. */
  readonly origin: string
  /**
   * A value derived from the operators' password at the time of creation, if the operator had signed in with the
   * password; otherwise undefined.
   */
  readonly seal: string | undefined
  /** Whether the passkey is known to be the operator's; false after a restore, until the operator confirms it. */
  readonly isConfirmed: boolean
  readonly createdAt: Date
  readonly usedAt: Date | undefined
}

export type NewPasskey = Omit<OperatorPasskey, 'isConfirmed' | 'createdAt' | 'usedAt'> & {
  /** How often the passkey was used, as its authenticator reports. */
  readonly counter: number
}

/** An operator's action on a passkey, in the session `session`. */
export interface PasskeyCommand {
  readonly id: string
  readonly operator: string
  readonly session: string
}

/**
 * Stores operators' passkeys in the book: every bot of the book can read them, a backup contains them, and a reader of
 * the book cannot sign in with them. Callers must check signatures first, because this store does not.
 */
export interface OperatorPasskeys {
  /** Returns all passkeys, oldest first. */
  list(): Promise<OperatorPasskey[]>
  find(id: string): Promise<OperatorPasskey | undefined>
  /**
   * Adds a passkey, and alerts operators. Returns false if the passkey is already known, or if there are too many
   * passkeys.
   */
  add(passkey: NewPasskey): Promise<boolean>
  /**
   * Records a passkey's use. Returns false if the passkey is unknown or refused. A passkey whose counter did not
   * increase is refused, and operators are alerted, because somebody else may have a copy (WebAuthn, 6.1.1).
   */
  use(id: string, counter: number): Promise<boolean>
  /**
   * Records an operator's confirmation that a passkey from a backup is still theirs. Returns false if there is no such
   * passkey to confirm.
   */
  confirm(command: PasskeyCommand): Promise<boolean>
  /**
   * Removes a passkey of any operator, and ends all sessions of that operator except the command's own. Alerts
   * operators. Returns false if there is no such passkey.
   */
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
      // Authenticators without a counter always report 0.
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
