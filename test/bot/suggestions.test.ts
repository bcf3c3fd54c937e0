import { expect, test } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { startLounge } from './lounge.ts'

async function typing(path: string, option: string) {
  const { alice, channels, people, tipping } = await startLounge()
  tipping.holdings.set(people.alice, { available: sats(1_501) })
  return async (typed: string) => {
    const found = await alice.autocomplete(channels.tips, path, { [option]: typed }, option)
    return found.map(({ name, value }) => [name, value])
  }
}

test('the amounts suggested for a gift depend on the giver’s balance', async () => {
  const offer = await typing('tip', 'amount')
  expect(await offer('')).toEqual([
    ['half · 750 sats', 'half'],
    ['all · 1,501 sats', 'all'],
    ['21 sats', '21'],
    ['100 sats', '100'],
    ['500 sats', '500'],
    ['1,000 sats', '1000'],
  ])
  expect(await offer('al')).toEqual([['all · 1,501 sats', 'all']])
  expect(await offer('10%')).toEqual([['10% · 150 sats', '10%']])
  expect(await offer('max')).toEqual([['max · 1,501 sats', 'max']])
})

test('a typed amount is suggested in sats, and as the start of larger amounts', async () => {
  const offer = await typing('deposit', 'amount')
  expect(await offer('2.5k')).toEqual([['2.5k · 2,500 sats', '2.5k']])
  expect(await offer('100')).toEqual([
    ['100 sats', '100'],
    ['1,000 sats', '1000'],
    ['10,000 sats', '10000'],
  ])
  expect(await offer('lots')).toEqual([])
})

test('a typed amount in another currency is suggested as an amount in sats', async () => {
  const { alice, channels, tipping } = await startLounge()
  tipping.inSats = (currency, value) => (currency === 'USD' ? sats(Number(value) * 2_000) : undefined)
  const offer = (typed: string) => alice.autocomplete(channels.tips, 'deposit', { amount: typed }, 'amount')
  expect(await offer('$2.5')).toEqual([{ name: '$2.5 · 5,000 sats', value: '5000' }])
  expect(await offer('5 eur')).toEqual([])
})

test('the suggestion to withdraw everything names no amount, since a fee is reserved', async () => {
  const offer = await typing('withdraw', 'amount')
  expect((await offer('a'))[0]).toEqual(['all', 'all'])
})

test('durations are suggested in words', async () => {
  const offer = await typing('giveaway start', 'duration')
  expect(await offer('1')).toEqual([
    ['10 minutes', '10m'],
    ['1 hour', '1h'],
    ['1 day', '1d'],
  ])
})
