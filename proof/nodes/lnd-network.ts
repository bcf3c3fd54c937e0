import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/lib/clock.ts'
import { createNodeHttp } from '../../src/payments-service/backends/node-http.ts'
import type { Programs } from './build-lnd.ts'
import { type Chain, freePort, LndProcess, Program, until } from './lnd-process.ts'

const CHANNEL_SATS = 10_000_000

export interface LndNetwork {
  readonly ours: LndProcess
  readonly hub: LndProcess
  readonly outside: LndProcess
  mine(blocks: number): Promise<void>
  close(): Promise<void>
}

/**
 * Starts our own Lightning network on this machine: btcd, and three lnd with channels ours – hub – outside, each half
 * full on both sides. Nothing leaves loopback.
 */
export async function startLndNetwork(programs: Programs): Promise<LndNetwork> {
  const folder = mkdtempSync(join(tmpdir(), 'lnd-network-'))
  const btcd = await createBtcd(programs.btcd, folder)
  const node = async (name: string) => {
    const ports = { rest: await freePort(), rpc: await freePort(), p2p: await freePort() }
    return new LndProcess(programs.lnd, join(folder, name), btcd.chain, ports)
  }
  const [ours, hub, outside] = [await node('ours'), await node('hub'), await node('outside')]
  const close = async () => {
    await Promise.all([ours.kill(), hub.kill(), outside.kill(), btcd.end()])
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await btcd.up([])
    await Promise.all([ours.up(), hub.up()])
    const addresses = await Promise.all(
      [ours, hub].map(async (one) => (await one.call('GET', '/v1/newaddress')).address),
    )
    // btcd learns its mining addresses only at its start, and lnd does not always find a btcd that restarted.
    await Promise.all([ours.kill(), hub.kill()])
    await btcd.end()
    await btcd.up(addresses)
    // Segwit and taproot are active from block 432 on.
    await btcd.mine(440)
    await Promise.all([ours.up(), hub.up(), outside.up()])
    await Promise.all([ours, hub, outside].map(isSynced))
    await openChannel(ours, hub, btcd.mine)
    await openChannel(hub, outside, btcd.mine)
    await Promise.all([ours, outside].map(knowsAllChannels))
    return { ours, hub, outside, mine: btcd.mine, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function createBtcd(path: string, folder: string) {
  const chain: Chain = { rpcPort: await freePort(), rpcCert: join(folder, 'btcd.cert') }
  const args = [
    '--regtest',
    `--datadir=${join(folder, 'btcd')}`,
    `--logdir=${join(folder, 'btcd-logs')}`,
    `--configfile=${join(folder, 'btcd.conf')}`,
    '--rpcuser=test',
    '--rpcpass=test',
    `--rpclisten=127.0.0.1:${chain.rpcPort}`,
    `--rpccert=${chain.rpcCert}`,
    `--rpckey=${join(folder, 'btcd.key')}`,
    `--listen=127.0.0.1:${await freePort()}`,
    '--txindex',
    '--nodnsseed',
  ]
  const program = new Program(path, args, join(folder, 'btcd.log'))
  const rpc = async (method: string, params: unknown[] = []) => {
    const http = createNodeHttp({
      baseUrl: `https://127.0.0.1:${chain.rpcPort}`,
      ca: readFileSync(chain.rpcCert, 'utf8'),
      clock: systemClock,
    })
    try {
      const authorization = `Basic ${Buffer.from('test:test').toString('base64')}`
      const body = JSON.stringify({ jsonrpc: '1.0', id: 1, method, params })
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await http.ask({ method: 'POST', path: '/', headers, body, timeoutMs: 60_000 })
      const { result, error } = JSON.parse(answer.body)
      if (error) throw new Error(`btcd ${method}: ${JSON.stringify(error)}`)
      return result
    } finally {
      await http.close()
    }
  }
  return {
    chain,
    mine: async (blocks: number) => void (await rpc('generate', [blocks])),
    end: () => program.end('SIGTERM'),
    up: async (addresses: readonly string[]) => {
      program.start(addresses.map((address) => `--miningaddr=${address}`))
      await until('btcd answers', async () => existsSync(chain.rpcCert) && (await rpc('getblockcount')) >= 0)
    },
  }
}

async function isSynced(node: LndProcess): Promise<void> {
  await until(`${node.folder} is synced`, async () => {
    const info = await node.call('GET', '/v1/getinfo')
    return info.synced_to_chain && info.block_height >= 440
  })
}

async function openChannel(from: LndProcess, to: LndProcess, mine: (blocks: number) => Promise<void>): Promise<void> {
  const pubkey = await to.pubkey()
  await from.call('POST', '/v1/peers', { addr: { pubkey, host: to.p2p }, perm: true })
  await until('the coins of the opener are there', async () => {
    const { confirmed_balance } = await from.call('GET', '/v1/balance/blockchain')
    return Number(confirmed_balance) > CHANNEL_SATS
  })
  await until('the channel is accepted', async () => {
    await from.call('POST', '/v1/channels', {
      node_pubkey: Buffer.from(pubkey, 'hex').toString('base64'),
      local_funding_amount: String(CHANNEL_SATS),
      push_sat: String(CHANNEL_SATS / 2),
    })
    return true
  })
  await mine(6)
  for (const node of [from, to]) {
    await until('the channel is active', async () => {
      const { channels } = await node.call('GET', '/v1/channels')
      return channels.length > 0 && channels.every((channel: { active: boolean }) => channel.active)
    })
  }
}

async function knowsAllChannels(node: LndProcess): Promise<void> {
  await until('the network is known', async () => {
    const { edges } = await node.call('GET', '/v1/graph')
    return (
      edges.length === 2 &&
      edges.every((edge: { node1_policy?: object; node2_policy?: object }) => edge.node1_policy && edge.node2_policy)
    )
  })
}
