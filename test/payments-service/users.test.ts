import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import { newLinkCode, useLinkCode } from '../../src/payments-service/users/link-code.ts'
import { payUser } from '../../src/payments-service/users/pay-user.ts'
import { findProjectUser, openProjectUser } from '../../src/payments-service/users/project-user.ts'
import { newSignInToken, signInLink } from '../../src/payments-service/users/sign-in-token.ts'
import { ServiceWorld } from './harness.ts'

let world: ServiceWorld
let projectId: string
beforeEach(async () => {
  world = await ServiceWorld.open()
  projectId = (await world.project(sats(1_000))).projectId
})
const parts = () => world.service.parts

describe('a payment from wallet to wallet', () => {
  const pay = (payer: Parameters<typeof payUser>[1], receiverId: string) =>
    payUser(parts(), payer, { receiverId, amount: sats(5), comment: 'thanks' })

  it('consists of one record and one entry that moves the amount', async () => {
    const alice = await world.user('alice')
    const { payment, change } = pay({ kind: 'project', id: projectId }, alice)
    expect(payment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      payerKind: 'project',
      payerId: projectId,
      receiverId: alice,
      amount: sats(5),
      comment: 'thanks',
      settledAt: new Date(world.clock.now()),
    })
    const moves = [
      { from: wallet({ kind: 'project', id: projectId }), to: wallet({ kind: 'user', id: alice }), amount: sats(5) },
    ]
    expect(change.entries).toEqual([{ operation: `gamertag-payment:${payment.id}`, step: 'post', moves }])
    await parts().ledger.commit(change)
    expect(await world.balance({ kind: 'user', id: alice })).toBe(sats(5))
    expect(await parts().database.read.gamertagPayment.findMany()).toEqual([payment])
  })

  it('is refused if the payer is the payee, but not if only their ids are equal', () => {
    const told = { code: 'self_payment', message: 'Payer and payee are the same wallet. Choose another payee.' }
    expect(() => pay({ kind: 'user', id: 'x' }, 'x')).toThrow(expect.objectContaining(told))
    expect(pay({ kind: 'user', id: 'y' }, 'x').payment.payerId).toBe('y')
    expect(pay({ kind: 'project', id: 'x' }, 'x').payment.payerId).toBe('x')
  })
})

describe('a link code', () => {
  const show = async (userId: string) => {
    const { code, row } = newLinkCode(parts(), userId)
    await parts().ledger.commit({ rows: [row] })
    return code
  }
  const use = (userId: string, code: string, now = world.clock.now()) =>
    parts().ledger.commit({ write: (tx) => useLinkCode(tx, userId, code, new Date(now)) })

  it('has three groups of letters and digits without look-alikes', async () => {
    const { code } = newLinkCode(
      {
        ...parts(),
        entropy: { ...parts().entropy, bytes: (n) => Buffer.from(Array.from({ length: n }, (_, at) => at + 26)) },
      },
      'x',
    )
    expect(code).toBe('TVWX-YZ01-2345')
  })

  it('can be used once, only by its user, and in any spelling', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    const { code, row } = newLinkCode(
      { ...parts(), entropy: { ...parts().entropy, bytes: (n) => Buffer.alloc(n, 0).fill(1, 4) } },
      alice,
    )
    expect(code).toBe('0000-1111-1111')
    await parts().ledger.commit({ rows: [row] })
    expect(await use(bob, code)).toBe(false)
    expect(await use(alice, '0000-1111-1112')).toBe(false)
    expect(await use(alice, 'oO0o-ilIL1i1l')).toBe(true)
    expect(await use(alice, code)).toBe(false)
  })

  it('expires after 10 minutes without affecting other codes', async () => {
    const [alice, bob] = [await world.user('alice'), await world.user('bob')]
    const [code, bobs] = [await show(alice), await show(bob)]
    await world.clock.advance(1)
    const later = await show(alice)
    const end = world.clock.now() - 1 + 600_000
    expect(await use(alice, 'AAAA-AAAA-AAAA', end - 1)).toBe(false)
    expect(await parts().database.read.linkCode.count()).toBe(3)
    expect(await use(alice, code, end)).toBe(false)
    expect(await parts().database.read.linkCode.count()).toBe(2)
    expect([await use(alice, later, end), await use(bob, bobs, end - 1)]).toEqual([true, true])
    const again = await show(alice)
    expect(await use(alice, again, world.clock.now() + 599_999)).toBe(true)
  })
})

describe('a sign-in link', () => {
  it('is valid for a day unless stated otherwise, and leads to the wallet page', async () => {
    const { token, row } = newSignInToken(parts(), 'x')
    expect(token.length).toBeGreaterThan(40)
    const createdAt = new Date(world.clock.now())
    const expiresAt = (ms: number) => new Date(world.clock.now() + ms)
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(row).toEqual({
      table: 'SignInToken',
      values: { hash, userId: 'x', createdAt, expiresAt: expiresAt(86_400_000) },
    })
    expect(newSignInToken(parts(), 'x', 60).row.values).toMatchObject({ expiresAt: expiresAt(60_000) })
    expect(signInLink({ publicUrl: 'https://tips.example' }, 'abc')).toBe(
      'https://tips.example/wallet/sign-in?token=abc',
    )
  })
})

describe('a user whom a project creates', () => {
  const open = (reference: string, gamertag: string, bytes?: string[]) => {
    const entropy = {
      ...parts().entropy,
      ...(bytes && { bytes: () => Buffer.from(bytes.shift() ?? 'deadbeef', 'hex') }),
      uuid: () => parts().entropy.uuid(),
    }
    return parts().ledger.commit({
      write: (tx) => openProjectUser({ ...parts(), entropy }, tx, { projectId, reference, gamertag }),
    })
  }

  it('remains the same user if the next call suggests another gamertag', async () => {
    const first = await open('one', 'alice')
    expect(first).toEqual({ id: first.id, gamertag: 'alice', created: true })
    expect(await open('one', 'alicia')).toEqual({ ...first, created: false })
    const { database } = parts()
    expect(await findProjectUser(database.read, projectId, 'one')).toEqual({ id: first.id, gamertag: 'alice' })
    expect(await findProjectUser(database.read, projectId, 'two')).toBeUndefined()
    expect(await findProjectUser(database.read, 'another', 'one')).toBeUndefined()
    const user = await database.read.user.findUnique({ where: { id: first.id } })
    expect(user).toMatchObject({ projectId, reference: 'one', createdAt: new Date(world.clock.now()) })
  })

  it('gets a variant of a gamertag that is taken, or else an unrelated gamertag', async () => {
    const name = 'x'.repeat(30)
    for (const [at, gamertag] of [
      name,
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${'x'.repeat(29)}${number}`),
      `${'x'.repeat(21)}-0000000a`,
    ].entries()) {
      expect(await open(`user-${at}`, name, ['0000000a'])).toMatchObject({ gamertag })
    }
    expect(await open('next', name, ['0000000a', '0000000b'])).toMatchObject({ gamertag: 'tipper-0000000b' })
    const taken = ['0000000a', '0000000b', '0000000b']
    expect(await open('third', name, [...taken, '0000000c'])).toMatchObject({ gamertag: 'tipper-0000000c' })
    await expect(open('none', name, [...taken, '0000000c', '0000000d'])).rejects.toMatchObject({
      code: 'nothing_sent',
      message: 'No free name was found. Try again.',
    })
  })

  it('is not created if the book cannot be written', async () => {
    const broken = new Error('the disk is broken')
    const told = parts().ledger.commit({
      write: (tx) =>
        openProjectUser(
          parts(),
          { user: tx.user, name: { findUnique: () => Promise.reject(broken) } } as unknown as typeof tx,
          { projectId, reference: 'one', gamertag: 'alice' },
        ),
    })
    await expect(told).rejects.toThrow('the disk is broken')
    expect(await parts().database.read.user.count()).toBe(0)
  })
})
