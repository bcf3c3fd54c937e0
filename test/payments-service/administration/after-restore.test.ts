import { beforeEach, expect, it } from 'vitest'
import { closeToWallets } from '../../../src/payments-service/administration/after-restore.ts'
import { AdministrationWorld } from './administration-world.ts'

let world: AdministrationWorld
beforeEach(async () => {
  world = await AdministrationWorld.open()
})
const voucher = (id: string, more: object = {}) => ({
  ...{ id, code: `code-${id}`, projectId: 'shop', amount: 1_000n, fee: 0n, description: '', createdAt: world.time() },
  ...{ createTransactionId: `t-${id}`, redeemedAt: null, revokedAt: null },
  ...{ walletSecret: `secret-${id}`, walletAmount: 900n, ...more },
})

const request = (id: string, status: string, expiresAt: Date) => ({
  ...{ id, projectId: 'shop', amount: 1_000n, maxFee: 0n, description: '', internalId: '', callbackUrl: '' },
  ...{ status, secret: `secret-${id}`, createdAt: world.time(), expiresAt },
})

const logIn = (id: string, endedAt: Date | null) => ({
  ...{ id, clientId: 'game', userId: 'alice', scopes: 'user', createdAt: world.time(), expiresAt: world.time(90_000) },
  ...{ endedAt },
})

it('after a restore, all log-ins and claimable codes are ended and counted', async () => {
  const madeAt = world.time(60_000)
  await world.haveMany('Voucher', [
    ...[voucher('a'), voucher('b'), voucher('redeemed', { redeemedAt: world.time() })],
    ...[voucher('revoked', { revokedAt: world.time() }), voucher('code', { walletSecret: null, walletAmount: null })],
  ])
  const [early, late] = [world.time(60_000 - 1), world.time(60_000 + 1)]
  await world.haveMany('WithdrawalRequest', [
    ...[request('pending', 'pending', late), request('processing', 'processing', late)],
    ...[request('completed', 'completed', late), request('expired', 'expired', late)],
    ...[request('over', 'pending', early), request('ends then', 'pending', madeAt)],
  ])
  await world.haveMany('LogInGrant', [logIn('a', null), logIn('b', null), logIn('ended', early)])
  expect(await closeToWallets(world.database, madeAt)).toEqual({ vouchers: 2, withdrawalRequests: 2, logIns: 2 })

  const vouchers = await world.database.read.voucher.findMany({ orderBy: { id: 'asc' } })
  expect(vouchers.map(({ id, code, walletSecret, walletAmount }) => [id, code, walletSecret, walletAmount])).toEqual([
    ['a', 'code-a', null, null],
    ['b', 'code-b', null, null],
    ['code', 'code-code', null, null],
    ['redeemed', 'code-redeemed', 'secret-redeemed', 900n],
    ['revoked', 'code-revoked', 'secret-revoked', 900n],
  ])
  const requests = await world.database.read.withdrawalRequest.findMany()
  expect(new Map(requests.map(({ id, status, expiresAt }) => [id, [status, expiresAt]]))).toEqual(
    new Map([
      ['pending', ['pending', madeAt]],
      ['processing', ['processing', madeAt]],
      ['completed', ['completed', late]],
      ['expired', ['expired', late]],
      ['over', ['pending', early]],
      ['ends then', ['pending', madeAt]],
    ]),
  )
  const logIns = await world.database.read.logInGrant.findMany({ orderBy: { id: 'asc' } })
  expect(logIns.map(({ id, endedAt }) => [id, endedAt])).toEqual([
    ['a', madeAt],
    ['b', madeAt],
    ['ended', early],
  ])
  expect(await closeToWallets(world.database, madeAt)).toEqual({ vouchers: 0, withdrawalRequests: 0, logIns: 0 })
})
