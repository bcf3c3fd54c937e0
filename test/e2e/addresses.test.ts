import { npubEncode } from 'nostr-tools/nip19'
import { makeZapRequest } from 'nostr-tools/nip57'
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import type { Stage } from '../../src/playground/flows/stage.ts'
import { textOf } from '../../src/playground/flows/text-of.ts'
import { openStage } from './harness.ts'

/** Returns the Lightning Address on the card. */
function addressOn(message: MessageView | undefined): string {
  return /(\S+@[\w.:-]+)/.exec(message === undefined ? '' : textOf(message))?.[1] ?? ''
}

function paysTo(stage: Stage, request: string, sats: number, comment?: string) {
  return stage.world.phone.pay(request, BigInt(sats) * 1_000n, comment)
}

it('a payment of any amount to a member’s address, scanned or typed, is credited', async () => {
  const stage = await openStage()
  const [card] = await stage.command('alice', 'address')
  expect(card?.ephemeral).toBe(true)
  const address = addressOn(card)
  expect(address).toMatch(/^alice[\w.-]*@/)
  await paysTo(stage, await stage.scan(card as MessageView, 'address'), 1_500, 'for the **workshop** @everyone')
  await stage.sees('alice', /1,500 test sats\*\* arrived at alice[\s\S]*for the \\\*\\\*workshop/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(1_500)

  await paysTo(stage, address, 21)
  await stage.sees('alice', /\*\*21 test sats\*\* arrived/)
  expect(await stage.holds('bot', 'member', 'alice')).toBe(1_521)
  stage.mustSay(await stage.command('alice', 'balance'), new RegExp(`1,521 test sats[\\s\\S]*${address}`))
  expect(stage.person('bob').conversation(stage.channel()).map(textOf).join()).not.toMatch(/arrived at/)
})

it('a card shows a payer’s name in plain text, and says that it is unchecked', async () => {
  const stage = await openStage()
  const [card] = await stage.command('alice', 'address')
  const [name, host] = addressOn(card).split('@')
  const asked = await fetch(`http://${host}/.well-known/lnurlp/${name}`)
  const { callback } = (await asked.json()) as { callback: string }
  const payer = { name: '@everyone **Satchel** <@1>', identifier: 'carol@example.com' }
  const query = `amount=21000&payerdata=${encodeURIComponent(JSON.stringify(payer))}`
  const { pr } = (await (await fetch(`${callback}?${query}`)).json()) as { pr: string }
  await stage.world.phone.pay(pr)
  const told = textOf(await stage.sees('alice', /The payer gives the name/))
  expect(told).toContain(
    'The payer gives the name **@\u200beveryone \\*\\*Satchel\\*\\* \\<@1\\> · carol@example.com**. Nobody has checked it.',
  )
})

it('the message about a zap names the Nostr account that sent the zap', async () => {
  const stage = await openStage()
  const [card] = await stage.command('alice', 'address')
  const [name, host] = addressOn(card).split('@')
  const { callback } = (await (await fetch(`http://${host}/.well-known/lnurlp/${name}`)).json()) as { callback: string }
  const [zapper, relays] = [generateSecretKey(), ['ws://127.0.0.1:1081']]
  const template = makeZapRequest({ pubkey: getPublicKey(zapper), amount: 21_000, comment: '**wow**', relays })
  const zap = encodeURIComponent(JSON.stringify(finalizeEvent(template, zapper)))
  const { pr } = (await (await fetch(`${callback}?amount=21000&nostr=${zap}`)).json()) as { pr: string }
  await stage.world.phone.pay(pr)
  const told = textOf(await stage.sees('alice', /It is a zap/))
  expect(told).toContain(`⚡ It is a zap from the Nostr account \`${npubEncode(getPublicKey(zapper))}\`.\n> \\*\\*wow`)
})

it('a member’s chosen address still works after a restart and a lost callback', async () => {
  const stage = await openStage()
  stage.mustSay(await stage.command('alice', 'address', { name: 'bob' }), /Somebody already has the name “bob”/)
  stage.mustSay(await stage.command('alice', 'address', { name: 'a b' }), /cannot be the name of an address/)
  await stage.command('alice', 'link', { wallet: 'alice' })
  const [card] = await stage.command('alice', 'address', { name: 'Alice.Kitchen' })
  const address = addressOn(card)
  expect(address).toMatch(/^alice\.kitchen@/)
  stage.mustSay(await stage.command('carol', 'address', { name: 'alice.kitchen' }), /Somebody already has the name/)
  await stage.command('alice', 'unlink')
  await stage.world.bot.kill()
  await stage.world.bot.start()
  stage.world.phone.loseCallbacks(1)
  await paysTo(stage, address, 300)
  await stage.until('the callback is lost', async () => {
    await stage.command('alice', 'address')
    return (await stage.holds('bot', 'member', 'alice')) === 300
  })
  await expect(paysTo(stage, address, 0)).rejects.toThrow()
  const [second] = await stage.command('alice', 'address', { name: 'alice.garden' })
  expect(second === undefined ? '' : textOf(second)).toMatch(/alice\.garden@[\s\S]*Also yours: alice\.kitchen@/)
})

it('a withdrawal to an address of this bot is refused, and the refusal mentions /tip', async () => {
  const stage = await openStage()
  const [mine] = await stage.command('alice', 'address')
  await paysTo(stage, addressOn(mine), 1_500)
  await stage.sees('alice', /1,500 test sats\*\* arrived/)
  const [his] = await stage.command('bob', 'address')
  const code = await stage.scan(his as MessageView, 'his address')
  for (const to of [addressOn(mine), addressOn(his).toUpperCase(), code, `lightning:${code}`]) {
    const said = await stage.command('alice', 'withdraw', { amount: '100', to })
    stage.mustSay(said, /(alice|bob)[\w.]*@\S+ belongs to a balance right here[\s\S]*\/tip/)
  }
  expect(await stage.holds('bot', 'member', 'alice')).toBe(1_500)
})
