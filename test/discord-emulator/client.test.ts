import {
  ActionRowBuilder,
  ApplicationCommandType,
  AttachmentBuilder,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  type Client,
  EmbedBuilder,
  Events,
  type Interaction,
  LabelBuilder,
  type Message,
  MessageFlags,
  ModalBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js'
import { expect, test } from 'vitest'
import { register, startBot, startWorld } from './fixture.ts'

const tip = new SlashCommandBuilder()
  .setName('tip')
  .setDescription('Send sats')
  .addMentionableOption((option) => option.setName('to').setDescription('Whom').setRequired(true))
  .addStringOption((option) =>
    option.setName('amount').setDescription('How much').setRequired(true).setAutocomplete(true),
  )
  .addBooleanOption((option) => option.setName('split').setDescription('Share it'))
  .toJSON()

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAwS2OUAAAAABJRU5ErkJggg==',
  'base64',
)

function onInteraction(client: Client, handle: (interaction: Interaction) => Promise<unknown>): Error[] {
  const errors: Error[] = []
  client.on(Events.InteractionCreate, (interaction) => void handle(interaction).catch((error) => errors.push(error)))
  return errors
}

test('a deferred answer to a command is filled with text, a picture and a button', async () => {
  const world = await startWorld()
  await register(world, [tip])
  const client = await startBot(world)
  let seen: ChatInputCommandInteraction | undefined
  const errors = onInteraction(client, async (interaction) => {
    if (!interaction.isChatInputCommand()) return
    seen = interaction
    await interaction.deferReply()
    const button = new ButtonBuilder().setCustomId('claim:1').setLabel('Claim').setStyle(ButtonStyle.Success)
    await interaction.editReply({
      content: `<@${interaction.user.id}> sent 500 sats`,
      embeds: [new EmbedBuilder().setTitle('Tip').setImage('attachment://qr.png')],
      files: [new AttachmentBuilder(png, { name: 'qr.png', description: 'a QR code' })],
      components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)],
    })
    await interaction.followUp({ content: 'for you alone', flags: MessageFlags.Ephemeral })
  })

  const handle = world.alice.run(world.channels.tips, 'tip', { to: '@bob', amount: '500' })
  expect((await handle.acknowledged()).acknowledgedAfterMs).toBeLessThan(3000)
  await expect.poll(() => handle.messages().length).toBe(2)

  expect(errors).toEqual([])
  expect(seen?.options.getMentionable('to', true)).toMatchObject({ id: world.people.bob })
  expect(seen?.options.getString('amount')).toBe('500')
  expect(seen?.memberPermissions?.has('ManageGuild')).toBe(false)
  const [answer, secret] = world.alice.conversation(world.channels.tips)
  expect(answer).toMatchObject({
    content: `<@${world.people.alice}> sent 500 sats`,
    loading: false,
    editedAt: null,
    usedBy: { name: 'Alice', command: 'tip' },
    names: { people: { [world.people.alice]: 'Alice' } },
    attachments: [{ filename: 'qr.png', contentType: 'image/png', width: 1, description: 'a QR code', loose: false }],
  })
  expect(secret).toMatchObject({ content: 'for you alone', ephemeral: true })
  expect(world.bob.conversation(world.channels.tips)).toHaveLength(1)
  const url = answer?.attachments[0]?.url ?? ''
  expect(answer?.embeds).toMatchObject([{ image: { url } }])
  expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(png)
})

test('button presses, menu choices and forms reach the bot, and people see its answers', async () => {
  const world = await startWorld()
  const client = await startBot(world)
  const channel = await client.channels.fetch(world.channels.general)
  if (!channel?.isSendable()) throw new Error('no channel')
  const card = await channel.send({
    content: 'card',
    components: [
      new ActionRowBuilder<ButtonBuilder>().addComponents(
        new ButtonBuilder().setCustomId('form').setLabel('Form').setStyle(ButtonStyle.Primary),
        new ButtonBuilder().setCustomId('update').setLabel('Update').setStyle(ButtonStyle.Primary),
      ),
      new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
        new StringSelectMenuBuilder().setCustomId('pick').addOptions({ label: 'One', value: '1' }),
      ),
      new ActionRowBuilder<UserSelectMenuBuilder>().addComponents(
        new UserSelectMenuBuilder().setCustomId('people').setMaxValues(2),
      ),
    ],
  })
  const errors = onInteraction(client, async (interaction) => {
    if (interaction.isButton() && interaction.customId === 'form') {
      const amount = new TextInputBuilder().setCustomId('amount').setStyle(TextInputStyle.Short).setMaxLength(5)
      const note = new TextInputBuilder().setCustomId('note').setLabel('Note').setStyle(TextInputStyle.Paragraph)
      await interaction.showModal(
        new ModalBuilder()
          .setCustomId('tip-form')
          .setTitle('Tip')
          .addLabelComponents(new LabelBuilder().setLabel('Amount').setTextInputComponent(amount))
          .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(note.setRequired(false))),
      )
    } else if (interaction.isButton()) await interaction.update({ content: 'updated', components: [] })
    else if (interaction.isStringSelectMenu()) {
      await interaction.deferUpdate()
      await interaction.editReply({ content: `chose ${interaction.values.join()}` })
    } else if (interaction.isUserSelectMenu())
      await interaction.reply({ content: interaction.users.map(({ username }) => username).join(), flags: 64 })
    else if (interaction.isModalSubmit())
      await interaction.reply(
        `${interaction.fields.getTextInputValue('amount')}/${interaction.fields.getTextInputValue('note')}`,
      )
  })

  const opened = await world.alice.press(world.channels.general, card.id, 'form').answered()
  expect(opened.modal).toMatchObject({ customId: 'tip-form', title: 'Tip' })
  expect(() => world.alice.submit(opened.id, {})).toThrow('This field is required.')
  const sent = world.alice.submit(opened.id, { amount: '500' })
  await sent.answered()
  expect(sent.messages()).toMatchObject([{ content: '500/' }])

  await world.alice.choose(world.channels.general, card.id, 'pick', ['1']).answered()
  expect(world.bob.conversation(world.channels.general)[0]).toMatchObject({ content: 'chose 1' })
  const people = world.alice.choose(world.channels.general, card.id, 'people', ['@bob', world.people.carol])
  await people.answered()
  expect(people.messages()).toMatchObject([{ content: 'bob,carol', ephemeral: true }])
  await world.bob.press(world.channels.general, card.id, 'update').answered()
  expect(world.bob.conversation(world.channels.general)[0]).toMatchObject({ content: 'updated', components: [] })
  expect(errors).toEqual([])
})

test('the bot answers autocomplete requests, and commands on people and on messages', async () => {
  const world = await startWorld()
  await register(world, [
    tip,
    { name: '⚡ Tip', type: ApplicationCommandType.User },
    { name: '⚡ Tip this message', type: ApplicationCommandType.Message },
  ])
  const client = await startBot(world)
  const errors = onInteraction(client, async (interaction) => {
    if (interaction.isAutocomplete())
      await interaction.respond([{ name: `all of ${interaction.options.getFocused()}`, value: 'all' }])
    else if (interaction.isUserContextMenuCommand()) await interaction.reply(interaction.targetUser.username)
    else if (interaction.isMessageContextMenuCommand()) await interaction.reply(interaction.targetMessage.content)
  })
  const { general } = world.channels
  const choices = await world.alice.autocomplete(general, 'tip', { to: '@bob', amount: 'a' }, 'amount')
  expect(choices).toEqual([{ name: 'all of a', value: 'all' }])
  const said = world.bob.say(general, 'good morning @alice')
  const onPerson = world.alice.useOnPerson(general, world.people.bob, '⚡ Tip')
  const onMessage = world.alice.useOnMessage(general, said.id, '⚡ Tip this message')
  await Promise.all([onPerson.answered(), onMessage.answered()])
  expect(onPerson.messages()).toMatchObject([{ content: 'bob', usedBy: { command: '⚡ Tip' } }])
  expect(onMessage.messages()).toMatchObject([{ content: `good morning <@${world.people.alice}>` }])
  expect(errors).toEqual([])
})

test('the bot reads messages and reactions and writes, edits and deletes messages', async () => {
  const world = await startWorld()
  const client = await startBot(world)
  const heard: string[] = []
  client.on(Events.MessageCreate, (message) => heard.push(`${message.author.username}: ${message.content}`))
  client.on(Events.MessageReactionAdd, (reaction, user) => heard.push(`${user.id} ${reaction.emoji.name} +`))
  client.on(Events.MessageReactionRemove, (reaction, user) => heard.push(`${user.id} ${reaction.emoji.name} -`))
  const { general } = world.channels
  const said = world.bob.say(general, 'hello')
  world.alice.react(general, said.id, '⚡')
  world.alice.unreact(general, said.id, '⚡')
  await expect.poll(() => heard).toEqual(['bob: hello', `${world.people.alice} ⚡ +`, `${world.people.alice} ⚡ -`])

  const guild = await client.guilds.fetch(world.serverId)
  const member = await guild.members.fetch(world.people.alice)
  expect(member.user.createdTimestamp).toBe(Date.parse(world.alice.view().createdAt))
  expect((await guild.members.fetch()).size).toBe(9)
  expect((await guild.members.search({ query: 'bo' })).size).toBe(1)
  const letter: Message = await member.send('psst')
  await letter.edit('psst!')
  const [dm] = world.alice.directMessages()
  expect(world.alice.conversation(dm?.id ?? '')).toMatchObject([{ content: 'psst!', editedAt: expect.any(String) }])
  const channel = await client.channels.fetch(general)
  if (!channel?.isTextBased()) throw new Error('no channel')
  const fetched = await channel.messages.fetch({ limit: 10 })
  expect(fetched.map(({ content }) => content)).toEqual(['hello'])
  await fetched.first()?.react('🎉')
  expect(world.alice.conversation(general)[0]?.reactions).toEqual([{ emoji: '🎉', personIds: [client.user.id] }])
  await letter.delete()
  expect(world.alice.conversation(dm?.id ?? '')).toEqual([])
  expect((await client.application.fetch()).id).toBe(world.emulator.applicationId)
})
