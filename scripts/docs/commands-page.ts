import { commandList } from '../../src/bot/bot.ts'

const SEEN_BY = { public: 'everybody in the channel', private: 'you alone', update: 'whoever sees the message' }

/** `docs/COMMANDS.md`, made from the commands that the bot registers. */
export function commandsPage(): string {
  const commands = commandList()
  const families = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '')
  return [
    '# Commands',
    '',
    '<!-- Made by `npm run docs` from the commands that the bot registers. Change those, not this page. -->',
    '',
    'Amounts are sats unless a unit says otherwise: `500`, `1,000`, `2.5k`, `0.001 btc`, `all`, `half`. Options in brackets may be left out.',
    'Refusals and errors are always seen by you alone.',
    ...[...families].flatMap(([family, members]) => ['', `## /${family}`, ...members.flatMap(describe)]),
    '',
  ].join('\n')
}

function describe({ name, description, answer, where, options }: ReturnType<typeof commandList>[number]): string[] {
  const usage = options.map((option) => (option.required ? option.name : `[${option.name}]`)).join(' ')
  const place = where === 'server' ? 'on a server' : 'on a server, or in a private conversation with the bot'
  return [
    '',
    `**\`/${name}${usage === '' ? '' : ` ${usage}`}\`**  `,
    `${description}. Used ${place}; the answer is seen by ${SEEN_BY[answer]}.`,
    ...(options.length === 0 ? [] : ['', '| Option | |', '|---|---|']),
    ...options.map((option) => `| \`${option.name}\` | ${option.description.replaceAll('|', '\\|')} |`),
  ]
}
