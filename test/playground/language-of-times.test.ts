import { expect, onTestFinished, test } from 'vitest'
import { startPage } from './page-fixture.ts'

test('a tab receives its person’s language before the first message in that language', async () => {
  const world = await startPage()
  const { alice } = world.people
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const events = await fetch(`${world.page.url}/api/events?person=${alice}`, { signal: abort.signal })
  const say = (text: string) =>
    fetch(`${world.page.url}/api/channels/${world.channels.general}/messages`, {
      method: 'POST',
      headers: { 'x-person': alice, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
  await say('before')
  world.languages.set(alice, 'de')
  await say('after')
  await say('the last')
  let heard = ''
  const decoder = new TextDecoder()
  for await (const chunk of events.body ?? []) {
    heard += decoder.decode(chunk, { stream: true })
    if (heard.includes('the last')) break
  }
  const told = heard.matchAll(/^event: (?:language\ndata: (.*)|(message)-created)$/gm)
  expect([...told].map(([, language, message]) => language ?? message)).toEqual([
    '"en-US"',
    'message',
    '"de"',
    'message',
    'message',
  ])
})
