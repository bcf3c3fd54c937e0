import { Events } from 'discord.js'
import { expect, test } from 'vitest'
import { register, startBot, startWorld } from './fixture.ts'

const options = [
  { label: 'A hundred', value: '100', default: true },
  { label: 'Five hundred', value: '500' },
]
const label = (text: string, component: object) => ({ type: 18, label: text, component })
const form = {
  custom_id: 'form',
  title: 'Give',
  components: [
    label('How much?', { type: 21, custom_id: 'amount', options }),
    label('For whom?', { type: 22, custom_id: 'kinds', options: [options[1]], required: false }),
    label('Loud?', { type: 23, custom_id: 'loud', default: true }),
    label('A picture', { type: 19, custom_id: 'picture', required: false }),
    { type: 10, content: 'Thank you.' },
  ],
}

test('a form can have labelled choice groups, checkboxes and file uploads', async () => {
  const world = await startWorld()
  await register(world, [{ name: 'give', description: 'x' }])
  const client = await startBot(world)
  const refused: unknown[] = []
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    const wrong = { ...form, components: [label('x', { type: 21, custom_id: 'x', options: [options[0]] })] }
    await interaction.showModal(wrong as never).catch((error) => refused.push(error.code))
    await interaction.showModal(form as never)
  })
  const opened = world.alice.run(world.channels.general, 'give')
  await opened.answered()
  expect(refused).toEqual([50_035])
  const sent = new Promise<unknown>((resolve) => {
    client.on(Events.Raw, ({ t, d }: { t: string; d: { type: number; data: { components: unknown } } }) => {
      if (t === 'INTERACTION_CREATE' && d.type === 5) resolve(d.data.components)
    })
  })
  expect(() => world.alice.submit(opened.id, { amount: '7' })).toThrow('"7" cannot be selected here.')
  world.alice.submit(opened.id, { amount: '500', loud: 'false' })
  expect(await sent).toMatchObject([
    { component: { type: 21, custom_id: 'amount', value: '500' } },
    { component: { type: 22, custom_id: 'kinds', values: [] } },
    { component: { type: 23, custom_id: 'loud', value: false } },
    { component: { type: 19, custom_id: 'picture', values: [] } },
    { type: 10 },
  ])
})

test('the submission of a form names the command that opened the form', async () => {
  const world = await startWorld()
  await register(world, [{ name: 'give', description: 'x' }])
  const client = await startBot(world)
  client.on(Events.InteractionCreate, async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.showModal(form as never)
    if (interaction.isModalSubmit()) {
      const { resource } = await interaction.reply({ content: 'given', withResponse: true })
      metadata.resolve(resource?.message?.interactionMetadata)
    }
  })
  const metadata = Promise.withResolvers<unknown>()
  const opened = world.alice.run(world.channels.general, 'give')
  await opened.answered()
  const sent = world.alice.submit(opened.id, { amount: '500', loud: 'false' })
  await sent.answered()
  expect(sent.messages()[0]?.usedBy).toMatchObject({ personId: world.alice.id, command: 'give' })
  expect(await metadata.promise).toMatchObject({
    ...{ id: sent.id, type: 5 },
    triggeringInteractionMetadata: { id: opened.id, type: 2 },
  })
})
