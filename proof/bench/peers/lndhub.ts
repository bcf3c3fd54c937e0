import pg from 'pg'
import type { LndNetwork } from '../../nodes/lnd-network.ts'
import { freePort } from '../../nodes/lnd-process.ts'
import { startPostgres } from '../../postgres/server.ts'
import type { LoadRequest } from '../load.ts'
import { inPairs, PEER_ACCOUNTS, post, type Side, startProgram } from './side.ts'

const NO_LIMIT = '1000000000'

/**
 * Starts lndhub.go on its own PostgreSQL, without limits, and with a funded account for each connection. `program` is
 * its server, or a server that you have built with the mock lnd of its tests. Without `network`, the program must not
 * need an lnd.
 */
export async function startLndhub(
  program: string,
  folder: string,
  network: LndNetwork | undefined,
  stack: AsyncDisposableStack,
): Promise<Side> {
  const postgres = await startPostgres({ below: folder })
  stack.defer(() => postgres.stop())
  const port = await freePort()
  const database = postgres.url('postgres')
  const env = {
    DATABASE_URI: `${database}?sslmode=disable`,
    DATABASE_MAX_CONNS: '32',
    DATABASE_MAX_IDLE_CONNS: '32',
    JWT_SECRET: 'bench',
    PORT: String(port),
    DEFAULT_RATE_LIMIT: NO_LIMIT,
    STRICT_RATE_LIMIT: NO_LIMIT,
    BURST_RATE_LIMIT: NO_LIMIT,
    ...(network !== undefined && {
      LND_ADDRESS: network.ours.rpc,
      LND_MACAROON_HEX: network.ours.macaroon,
      LND_CERT_HEX: Buffer.from(network.ours.certificate).toString('hex'),
    }),
  }
  const url = `http://127.0.0.1:${port}`
  await startProgram([program], { cwd: '/', env }, stack, async () => (await fetch(`${url}/getinfo`)).status === 401)
  const tokens: string[] = []
  while (tokens.length < PEER_ACCOUNTS) tokens.push(await newAccount(url))
  await fund(database)
  return { name: 'lndhub.go', url, ...callsOf(tokens) }
}

async function newAccount(url: string): Promise<string> {
  const { login, password } = await post<{ login: string; password: string }>(`${url}/create`, {})
  return (await post<{ access_token: string }>(`${url}/auth`, { login, password })).access_token
}

/** Credits each lndhub.go account with a million sats, as if an invoice had been paid. */
async function fund(database: string): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query(`INSERT INTO invoices (type, user_id, amount, state, destination_pubkey_hex, preimage, settled_at, created_at)
      SELECT 'incoming', id, 1000000, 'settled', '', 'bench', now(), now() FROM users`)
    await client.query(`INSERT INTO transaction_entries
        (user_id, invoice_id, credit_account_id, debit_account_id, amount, entry_type, created_at)
      SELECT i.user_id, i.id, to_.id, from_.id, i.amount, 'incoming', now() FROM invoices i
        JOIN accounts to_ ON to_.user_id = i.user_id AND to_.type = 'current'
        JOIN accounts from_ ON from_.user_id = i.user_id AND from_.type = 'incoming'`)
  } finally {
    await client.end()
  }
}

/** Returns the requests. Each connection has its own account, whose invoices the next account pays. */
function callsOf(tokens: readonly string[]): Pick<Side, 'wallet' | 'invoice' | 'pair'> {
  const headers = (account: number) => ({ authorization: `Bearer ${tokens[account % tokens.length]}` })
  const send = (account: number, path: string, body: object): LoadRequest => {
    return { method: 'POST', path, headers: headers(account), body: JSON.stringify(body) }
  }
  const invoice = (account: number) => send(account, '/addinvoice', { amt: 1, memo: 'bench' })
  return {
    wallet: (account) => ({ method: 'GET', path: '/balance', headers: headers(account) }),
    invoice,
    pair: inPairs(invoice, /"pay_req":"(\w+)"/, (account, made) => send(account + 1, '/payinvoice', { invoice: made })),
  }
}
