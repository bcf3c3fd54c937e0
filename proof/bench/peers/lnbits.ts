import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { freePort } from '../../nodes/lnd-process.ts'
import type { LoadRequest } from '../load.ts'
import { inPairs, PEER_ACCOUNTS, post, type Side, startProgram } from './side.ts'

/**
 * Starts LNbits with its own FakeWallet and SQLite, without limits, and with a funded wallet for each connection.
 * `program` is `bin/lnbits` of a virtual environment. LNbits stores its data in `folder`.
 */
export async function startLnbits(program: string, folder: string, stack: AsyncDisposableStack): Promise<Side> {
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = {
    LNBITS_DATA_FOLDER: folder,
    LNBITS_EXTENSIONS_PATH: folder,
    LNBITS_BACKEND_WALLET_CLASS: 'FakeWallet',
    LNBITS_ADMIN_UI: 'false',
    LNBITS_RATE_LIMIT_NO: '1000000000',
    ENABLE_LOG_TO_FILE: 'false',
  }
  const answers = async () => (await fetch(`${url}/api/v1/health`)).ok
  await startProgram([program, '--port', port], { cwd: packagesOf(program), env }, stack, answers)
  const keys: string[] = []
  while (keys.length < PEER_ACCOUNTS) keys.push(await newWallet(url))
  prepareWallets(join(folder, 'database.sqlite3'))
  return { name: 'LNbits', url, ...callsOf(keys) }
}

/** Returns the folder of the packages: LNbits looks for its own files from there. */
function packagesOf(program: string): string {
  const ask = ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']
  return execFileSync(join(dirname(program), 'python'), ask, { encoding: 'utf8' }).trim()
}

/** Creates an account whose wallet has a large invoice. Resolves to the wallet's paying key. */
async function newWallet(url: string): Promise<string> {
  const { adminkey } = await post<{ adminkey: string }>(`${url}/api/v1/account`, { name: 'bench' })
  await post(`${url}/api/v1/payments`, { out: false, amount: 1_000_000, memo: 'bench' }, { 'x-api-key': adminkey })
  return adminkey
}

/**
 * Marks the invoices as paid, and removes the wallets' currency, for which LNbits would look up a price elsewhere at
 * each payment.
 */
function prepareWallets(file: string): void {
  const database = new Database(file)
  database.exec(`UPDATE apipayments SET status = 'success'; UPDATE wallets SET currency = NULL`)
  database.close()
}

/** Returns the requests. Each connection has its own wallet, whose invoices the next wallet pays. */
function callsOf(keys: readonly string[]): Pick<Side, 'wallet' | 'invoice' | 'pair'> {
  const headers = (wallet: number) => ({ 'x-api-key': keys[wallet % keys.length] ?? '' })
  const send = (wallet: number, body: object): LoadRequest => {
    return { method: 'POST', path: '/api/v1/payments', headers: headers(wallet), body: JSON.stringify(body) }
  }
  const invoice = (wallet: number) => send(wallet, { out: false, amount: 1, memo: 'bench' })
  return {
    wallet: (wallet) => ({ method: 'GET', path: '/api/v1/wallet', headers: headers(wallet) }),
    invoice,
    pair: inPairs(invoice, /"bolt11":"(\w+)"/, (wallet, bolt11) => send(wallet + 1, { out: true, bolt11 })),
  }
}
