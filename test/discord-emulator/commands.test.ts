import { PermissionFlagsBits } from 'discord.js'
import { describe, expect, test } from 'vitest'
import { faultAt, refusal, register, restOf, startWorld } from './fixture.ts'

const command = (more: object = {}) => ({ name: 'tip', description: 'Send sats', ...more })
const option = (more: object = {}) => ({ type: 3, name: 'note', description: 'A note', ...more })
const withOption = (more: object) => command({ options: [option(more)] })
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

describe('a registration of commands', () => {
  test.each<[string, unknown, string, string]>([
    ['upper case in the name', command({ name: 'Tip' }), 'name', 'APPLICATION_COMMAND_INVALID_NAME'],
    ['a space in the name', command({ name: 'tip me' }), 'name', 'APPLICATION_COMMAND_INVALID_NAME'],
    ['too long a name', command({ name: 'x'.repeat(33) }), 'name', 'BASE_TYPE_BAD_LENGTH'],
    ['no description', { name: 'tip' }, 'description', 'BASE_TYPE_REQUIRED'],
    ['too long a description', command({ description: 'x'.repeat(101) }), 'description', 'BASE_TYPE_BAD_LENGTH'],
    ['a context menu’s description', { name: 'Tip', type: 2, description: 'x' }, 'description', 'BASE_TYPE_MAX_LENGTH'],
    ['26 options', command({ options: many(26, (n) => option({ name: `o${n}` })) }), 'options', 'BASE_TYPE_MAX_LENGTH'],
    [
      'a required option after an optional one',
      command({ options: [option(), option({ name: 'to', required: true })] }),
      'options.1',
      'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    ],
    [
      'a repeated option',
      command({ options: [option(), option()] }),
      'options.1.name',
      'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
    ],
    [
      'subcommands beside options',
      command({ options: [option(), { type: 1, name: 'sub', description: 'x' }] }),
      'options',
      'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
    ],
    [
      '26 choices',
      withOption({ choices: many(26, (n) => ({ name: `c${n}`, value: 'v' })) }),
      'options.0.choices',
      'BASE_TYPE_MAX_LENGTH',
    ],
    [
      'choices with autocomplete',
      withOption({ autocomplete: true, choices: [{ name: 'a', value: 'a' }] }),
      'options.0.autocomplete',
      'APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_WITH_CHOICES',
    ],
    [
      'a minimum value for a text option',
      withOption({ min_value: 1 }),
      'options.0.min_value',
      'APPLICATION_COMMAND_OPTION_TYPE_FIELD_INVALID',
    ],
    [
      'an unknown locale',
      command({ description_localizations: { xx: 'x' } }),
      'description_localizations.xx',
      'ENUM_TYPE_COERCE',
    ],
    [
      'upper case in a translated name',
      command({ name_localizations: { de: 'Trinkgeld' } }),
      'name_localizations.de',
      'APPLICATION_COMMAND_INVALID_NAME',
    ],
    [
      'too long a translated description',
      withOption({ description_localizations: { fr: 'x'.repeat(101) } }),
      'options.0.description_localizations.fr',
      'BASE_TYPE_BAD_LENGTH',
    ],
    ['an unknown context', command({ contexts: [7] }), 'contexts', 'BASE_TYPE_CHOICES'],
  ])('is refused for %s', async (_name, body, path, code) => {
    const world = await startWorld()
    expect(faultAt(await refusal(register(world, [body])), `0.${path}`)).toBe(code)
  })

  test('is refused if a command has over 8,000 characters in its longest language', async () => {
    const world = await startWorld()
    const options = (length: number) =>
      many(25, (n) => ({
        type: 1,
        name: `sub${n}`,
        description: 'x',
        options: many(4, (m) =>
          option({ name: `o${m}`, description: 'x', description_localizations: { de: 'x'.repeat(length) } }),
        ),
      }))
    await register(world, [command({ options: options(70) })])
    const refused = await refusal(register(world, [command({ options: options(80) })]))
    expect(faultAt(refused, '0')).toBe('APPLICATION_COMMAND_TOO_LARGE')
  })

  test('is refused for a repeated name or a 101st command', async () => {
    const world = await startWorld()
    expect(faultAt(await refusal(register(world, [command(), command()])), '1.name')).toBe(
      'APPLICATION_COMMANDS_DUPLICATE_NAME',
    )
    await register(
      world,
      many(100, (n) => command({ name: `c${n}` })),
    )
    expect(
      await refusal(
        register(
          world,
          many(101, (n) => command({ name: `c${n}` })),
        ),
      ),
    ).toMatchObject({ code: 30032 })
  })
})

describe('registered commands', () => {
  test('are matched by name, edited one by one, and deleted if the new list omits them', async () => {
    const world = await startWorld()
    const rest = restOf(world)
    const path = `/applications/${world.emulator.applicationId}/commands` as const
    await register(world, [command(), command({ name: 'rain' })])
    const [first] = (await rest.get(path)) as { id: string }[]
    expect(await rest.post(path, { body: command({ description: 'New' }) })).toMatchObject({ id: first?.id })
    expect(await rest.patch(`${path}/${first?.id}`, { body: { name: 'zap' } })).toMatchObject({ description: 'New' })
    await register(world, [command({ name: 'zap' })])
    expect(await rest.get(path)).toMatchObject([{ id: first?.id, name: 'zap' }])
    await rest.delete(`${path}/${first?.id}`)
    expect(await refusal(rest.get(`${path}/${first?.id}`))).toMatchObject({ code: 10063 })
  })

  test('are listed only where the person may use them, and in the person’s language', async () => {
    const world = await startWorld()
    const { emulator, channels } = world
    await register(world, [
      command({ name_localizations: { de: 'trinkgeld' }, contexts: [0] }),
      command({ name: 'pool', default_member_permissions: String(PermissionFlagsBits.ManageGuild) }),
      command({ name: 'nobody', default_member_permissions: '0' }),
      command({ name: 'voucher', options: [{ type: 1, name: 'create', description: 'Make one' }] }),
      { name: 'Tip', type: 2 },
    ])
    const labels = (person: typeof world.alice, channel: string) => person.commands(channel).map(({ label }) => label)
    expect(labels(world.alice, channels.general)).toEqual(['tip', 'voucher create', 'Tip'])
    expect(labels(world.mod, channels.general)).toEqual(['tip', 'pool', 'voucher create', 'Tip'])
    expect(labels(world.alice, world.alice.openDm(emulator.applicationId).id)).not.toContain('tip')
    const heidi = emulator.world.createPerson({ username: 'heidi', locale: 'de' })
    emulator.world.addMember(world.serverId, heidi.id)
    expect(labels(emulator.as(heidi.id), channels.general)).toContain('trinkgeld')
    expect(() => world.alice.run(channels.general, 'pool')).toThrow('There is no command /pool that you can use here.')
    expect(() => world.alice.commands(channels.mods)).toThrow('You do not have access to this channel.')
  })
})

test('missing or invalid options are refused with the messages of Discord’s client', async () => {
  const world = await startWorld()
  await register(world, [
    command({
      options: [
        { type: 6, name: 'who', description: 'Whom', required: true },
        { type: 4, name: 'count', description: 'How often', min_value: 1, max_value: 5 },
        { type: 3, name: 'period', description: 'When', choices: [{ name: 'This week', value: 'week' }] },
        { type: 3, name: 'note', description: 'A note', max_length: 5 },
        { type: 8, name: 'role', description: 'A role' },
        { type: 7, name: 'where', description: 'A channel' },
      ],
    }),
  ])
  const run = (values: Record<string, string>) => () => world.alice.run(world.channels.tips, 'tip', values)
  expect(run({})).toThrow('This option is required. Specify a value.')
  expect(run({ who: 'nobody' })).toThrow('Input a valid user.')
  expect(run({ who: '@bob', count: 'x' })).toThrow('Input a valid integer.')
  expect(run({ who: '@bob', count: '1.5' })).toThrow('Input a valid integer.')
  expect(run({ who: '@bob', count: '0' })).toThrow('Specify a number greater than or equal to 1.')
  expect(run({ who: '@bob', count: '6' })).toThrow('Specify a number less than or equal to 5.')
  expect(run({ who: '@bob', period: 'year' })).toThrow('Input a valid choice.')
  expect(run({ who: '@bob', note: 'longer' })).toThrow('Must be 5 or fewer in length.')
  expect(run({ who: '@bob', role: '@nobody' })).toThrow('Input a valid role.')
  expect(run({ who: '@bob', where: '#mods' })).toThrow('Input a valid channel.')
  expect(run({ who: '@bob', more: 'x' })).toThrow('/tip has no option more.')
  expect(run({ who: '@bob', count: '5', period: 'This week', role: '@Regulars', where: '#tips' })).not.toThrow()
})
