import { expect, it } from 'vitest'
import type { MessageView } from '../../src/discord-emulator/views.ts'
import { openStage } from './harness.ts'

it('operators can open a page about the whole installation, but other members cannot', async () => {
  const stage = await openStage()
  await stage.command('alice', 'deposit', { amount: '500' })
  const commands = stage.person('alice').commands(stage.channel())
  expect(commands.filter(({ path }) => path.startsWith('admin'))).toEqual([])

  stage.mustSay(await stage.command('lounge-owner', 'admin audit'), /right/i)
  const [answer] = await stage.command('lounge-owner', 'admin page')
  expect(answer?.ephemeral).toBe(true)
  expect(
    stage
      .person('alice')
      .conversation(stage.channel())
      .map(({ id }) => id),
  ).not.toContain(answer?.id)
  const link = linkOf(answer)
  expect(link.hash).toMatch(/^#[\w-]{43}$/)

  const cookie = await signedIn(link)
  const page = await (await fetch(new URL('/operators', link), { headers: { cookie } })).text()
  expect(page).toMatch(/Everything works[\s\S]*test sats[\s\S]*It works\.[\s\S]*Callbacks[\s\S]*found nothing wrong/)

  await stage.command('lounge-owner', 'admin pause', { reason: 'a look at the <books>' })
  await expect
    .poll(async () => (await fetch(new URL('/operators', link), { headers: { cookie } })).text())
    .toContain('“a look at the &#60;books&#62;”')
  await stage.command('lounge-owner', 'admin resume')
})

it('a playground’s console shows the service that runs in the same process, if any', async () => {
  const stage = await openStage()
  const link = linkOf((await stage.command('lounge-owner', 'admin page'))[0])
  const cookie = await signedIn(link)
  const look = async () => (await fetch(new URL('/console/service', link), { headers: { cookie } })).text()
  expect(await look()).toMatch(/Name of a new project[\s\S]*<b>Lightning Lounge<\/b> · the bot&#39;s own/)
  await stage.world.service.kill()
  expect(await look()).toContain('No payments service runs in this process')
})

/** Signs in with an operator's link, which works once. Resolves to the cookie. */
async function signedIn(link: URL): Promise<string> {
  const signIn = await fetch(link.href.replace(link.hash, ''), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ key: link.hash.slice(1) }),
  })
  expect(signIn.status).toBe(303)
  return (signIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

function linkOf(message: MessageView | undefined): URL {
  const urls = JSON.stringify(message?.components ?? []).match(/"url":"([^"]+)"/)
  if (!urls?.[1]) throw new Error('there is no link')
  return new URL(urls[1])
}
