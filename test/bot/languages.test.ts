import { expect, test } from 'vitest'
import { languages } from '../../src/bot/i18n/languages.ts'
import { createTranslators } from '../../src/bot/i18n/translator.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { type Lounge, startLounge, textOf } from './lounge.ts'

/** Discord's names for the languages, each with the bot's code for the language. */
const locales = languages.flatMap(({ code, discord }) => discord.map((locale) => [locale, code] as const))

async function speaker(locale: string) {
  const lounge = await startLounge()
  const { world } = lounge.emulator
  const { id } = world.createPerson({ username: 'speaker', createdAt: 0, locale })
  world.addMember(lounge.serverId, id)
  return { ...lounge, id, speaker: lounge.emulator.as(id) }
}

test.each(locales)(
  'a member whose language is %s reads %s, and sees command names in that language',
  async (locale, code) => {
    const { speaker: person, channels, done, emulator, id, serverId, tipping } = await speaker(locale)
    const t = createTranslators(() => false)(code)
    tipping.holdings.set(id, { available: sats(1_234_567) })
    const [balance] = await done(person.run(channels.tips, 'balance'))
    expect(textOf(balance)).toContain(t('balance.title'))
    expect(textOf(balance)).toContain(t.amount(sats(1_234_567)))
    const link = registeredAs('link', await registered(emulator, serverId))
    const [before = '', after = ''] = t('balance.unlinked').split(/`\/[^`]+`/)
    // A Korean particle follows the shown name, and a link shows the English one.
    const said = JSON.stringify(balance)
    expect(said).toContain(`${before}${link}`)
    expect(said).toContain(code === 'ko' ? after.slice(1) : after)
    const picker = new Map(person.commands(channels.tips).map((command) => [command.path, command]))
    const { vocabulary } = languages.find((language) => language.code === code) ?? languages[0]
    const { voucher, deposit } = vocabulary.commands as unknown as Record<string, Named>
    expect(picker.get('deposit')?.label).toBe(deposit?.name)
    // Tipping has no faucet here, so the picker does not offer one.
    expect(picker.has('faucet')).toBe(false)
    expect(picker.get('deposit')?.description).toBe(deposit?.description)
    expect(picker.get('voucher redeem')?.label).toBe(`${voucher?.name} ${voucher?.verbs?.redeem?.name}`)
    // If a command is not clickable, a sentence names it as the picker shows it.
    expect(t('balance.empty')).toContain(`/${deposit?.name} 1000`)
  },
)

/** Returns a server's commands as Discord reports them. */
async function registered({ restUrl, token, applicationId }: Lounge['emulator'], serverId: string) {
  const url = `${restUrl}/v10/applications/${applicationId}/guilds/${serverId}/commands`
  const answer = await fetch(url, { headers: { authorization: `Bot ${token}` } })
  return (await answer.json()) as readonly { readonly name: string; readonly id: string }[]
}

/** Returns a command as a message shows it for people to press. */
function registeredAs(name: string, commands: Awaited<ReturnType<typeof registered>>): string {
  return `</${name}:${commands.find((command) => command.name === name)?.id}>`
}

interface Named {
  readonly name: string
  readonly description: string
  readonly verbs?: Readonly<Record<string, Named>>
}

test('announcements use the majority’s language, or the one that the server chose', async () => {
  const { speaker: person, people, channels, done, serverId, tipping, id } = await speaker('de')
  const tip = async () => textOf((await done(person.run(channels.tips, 'tip', { to: people.bob, amount: '5' })))[0])
  // Discord reports English for every server that is not a Community. Its only speaker so far is German.
  expect(await tip()).toContain(`gab <@${people.bob}> **5 Sats**`)
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change: { language: 'en' } })
  expect(await tip()).toContain(`tipped <@${people.bob}> **5 sats**`)
  await tipping.preferences.changeServer({ guild: serverId, member: people.mod, change: { language: 'de' } })
  expect(await tip()).toContain(`gab <@${people.bob}> **5 Sats**`)
  await tipping.preferences.change({ member: id, change: { language: 'en' } })
  const [balance] = await done(person.run(channels.tips, 'balance'))
  expect(textOf(balance)).toContain('Your balance')
})

test.each(languages)('no text in $code contains the word “gamertag”', ({ vocabulary }) => {
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(texts)
  const read = texts(vocabulary).map((text) => text.replaceAll('{{gamertag}}', ''))
  expect(read.filter((text) => /gamer-?tag/i.test(text))).toEqual([])
})
