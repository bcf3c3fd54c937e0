import { createSocket, type Socket } from 'node:dgram'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuardedFetch } from '../../src/lib/http/guarded-fetch.ts'
import { createResolver, lookingUp } from '../../src/lib/http/resolve-name.ts'

const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

/** Starts a name server on loopback that answers questions for names at `fine.example`, and no others. */
async function nameServer() {
  const socket = createSocket('udp4')
  const asked: string[] = []
  let onAsked = () => {}
  socket.on('message', (question, from) => {
    const name = nameIn(question)
    asked.push(name)
    onAsked()
    if (name.endsWith('fine.example')) socket.send(answerTo(question), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  open.push(socket)
  const until = async (enough: () => boolean) => {
    while (!enough()) await new Promise<void>((resolve) => (onAsked = resolve))
  }
  return { asked, until, servers: [`127.0.0.1:${socket.address().port}`] }
}

function nameIn(question: Buffer): string {
  const labels: string[] = []
  for (let at = 12; question[at] !== 0; at += 1 + (question[at] ?? 0)) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
  }
  return labels.join('.')
}

/**
 * Returns the answer to a question (RFC 1035, §4), which repeats the question; for an A question, it contains one
 * address, 192.0.2.7.
 */
function answerTo(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5
  const isA = question.readUInt16BE(end - 4) === 1
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(isA ? 1 : 0, 6)
  head.fill(0, 8, 12)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
  return isA ? Buffer.concat([head, record]) : head
}

describe('the look-up of names', () => {
  it('works while 12 other look-ups wait for name servers that never answer', async () => {
    const { servers, asked, until } = await nameServer()
    const resolve = createResolver({ servers, timeoutMs: 60_000 })
    const hanging = Array.from({ length: 12 }, (_, i) => resolve(`n${i}.hangs-${i}.example`))
    for (const each of hanging) each.catch(() => {})
    await until(() => asked.length >= 24)
    await expect(resolve('wallet.fine.example')).resolves.toEqual(['192.0.2.7'])
  })

  it('refuses more names of a site whose queue is full and still serves other sites', async () => {
    const { servers, asked, until } = await nameServer()
    const resolve = createResolver({ servers, timeoutMs: 60_000 })
    const all = Array.from({ length: 4 + 64 }, (_, i) => resolve(`n${i}.hangs.example`))
    for (const each of all) each.catch(() => {})
    await expect(resolve('n99.hangs.example')).rejects.toThrow(/hangs\.example are being looked up; try again/)
    await expect(resolve('wallet.fine.example')).resolves.toEqual(['192.0.2.7'])
    await until(() => asked.length >= 10)
    expect(new Set(asked.filter((name) => name.includes('hangs'))).size).toBe(4)
  })

  it('frees the slots of look-ups that time out', async () => {
    const { servers } = await nameServer()
    const resolve = createResolver({ servers, timeoutMs: 20 })
    const four = Array.from({ length: 4 }, (_, i) => resolve(`n${i}.hangs.example`))
    const waiting = expect(resolve('n4.hangs.example')).rejects.toMatchObject({ code: 'ETIMEOUT' })
    expect((await Promise.allSettled(four)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    await waiting
  })

  it('looks a name up once for many simultaneous callers', async () => {
    const { servers, asked } = await nameServer()
    const resolve = createResolver({ servers })
    await Promise.all(Array.from({ length: 20 }, () => resolve('Wallet.Fine.Example.')))
    expect(asked).toHaveLength(2)
  })

  it.each(['co.uk', 'com.br', 'github.io', 'org.au', 'k12.ca.us'])(
    'treats each name directly below %s as a separate site',
    async (suffix) => {
      const { servers, asked, until } = await nameServer()
      const resolve = createResolver({ servers, timeoutMs: 60_000 })
      const all = Array.from({ length: 68 }, (_, i) => resolve(`n${i}.hangs.${suffix}`))
      for (const each of all) each.catch(() => {})
      resolve(`wallet.other.${suffix}`).catch(() => {})
      await until(() => asked.some((name) => name === `wallet.other.${suffix}`))
    },
  )

  it('gives one caller at most half of a site’s slots', async () => {
    const { servers, asked, until } = await nameServer()
    const resolve = createResolver({ servers, timeoutMs: 60_000 })
    const as = (caller: string, name: string) => lookingUp.run({ caller }, () => resolve(name))
    const all = Array.from({ length: 10 }, (_, i) => as('mallory', `n${i}.hangs.example`))
    for (const each of all) each.catch(() => {})
    await expect(as('mallory', 'n99.hangs.example')).rejects.toThrow(/try again in a few seconds/)
    as('alice', 'wallet.hangs.example').catch(() => {})
    await until(() => asked.includes('wallet.hangs.example'))
    expect(new Set(asked.filter((name) => name.startsWith('n'))).size).toBe(2)
  })

  it('cancels only look-ups that nobody waits for', async () => {
    const { servers, asked, until } = await nameServer()
    const resolve = createResolver({ servers, timeoutMs: 60_000 })
    const abandoned = new AbortController()
    const as = (signal: AbortSignal | undefined, name: string) => lookingUp.run({ signal }, () => resolve(name))
    const all = Array.from({ length: 68 }, (_, i) => as(abandoned.signal, `n${i}.hangs.example`))
    const settled = Promise.allSettled(all)
    const kept = as(undefined, 'n1.hangs.example')
    kept.catch(() => {})
    await until(() => new Set(asked).size === 4)
    abandoned.abort()
    // One name has two who wait, so its first one waits on.
    const outcome = await Promise.race([settled, Promise.allSettled(all.filter((_, i) => i !== 1))])
    expect(outcome.every(({ status }) => status === 'rejected')).toBe(true)
    as(undefined, 'later.hangs.example').catch(() => {})
    await until(() => asked.includes('later.hangs.example'))
  })

  it('learns from a fetch who the caller is and when the fetch has ended', async () => {
    const heard: unknown[] = []
    let given: AbortSignal | undefined
    const resolve = () => {
      const { caller, signal } = lookingUp.getStore() ?? {}
      heard.push(caller)
      given = signal
      return new Promise<string[]>(() => {})
    }
    const fetch = createGuardedFetch({ allowLoopback: false, resolve })
    const request = fetch.for('alice')('https://wallet.example/', { timeoutMs: 50 })
    await expect(request).rejects.toMatchObject({ reason: 'timeout' })
    expect(heard).toEqual(['alice'])
    expect(given?.aborted).toBe(true)
    await fetch.close()
  })
})
