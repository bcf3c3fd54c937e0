import type { ChoiceView, CommandView, OptionView } from '../../../discord-emulator/views.ts'
import { useEffect, useState } from '../html.ts'
import { api, type OptionValue } from '../state/api.ts'
import { channel } from '../state/session.ts'
import { mentionBefore, mentionSuggestions } from './mentions.ts'
import { type Entry, fromChoices, listFor, type OptionSuggestion } from './option-entry.ts'

/** How long a person must pause in typing before the bot is asked. */
const pauseMs = 160

export interface Offered {
  readonly items: readonly OptionSuggestion[]
  /** The text that is shown if there is nothing to choose. */
  readonly empty: string | null
}

interface Asked {
  command: CommandView
  option: OptionView | undefined
  entry: Entry
  /** The values of the other options, which the bot takes into account. */
  values: Record<string, OptionValue>
}

/** Returns suggestions for a focused option: its choices, people, or what the bot proposes for the typed text. */
export function useSuggestions({ command, option, entry, values }: Asked): Offered {
  const [answer, setAnswer] = useState<{ for: string; choices: readonly ChoiceView[] | null } | null>(null)
  const asksBot = option?.autocomplete === true
  const asking = `${option?.name} ${entry.text}`
  useEffect(() => {
    if (!asksBot || option === undefined || entry.chosen !== null) return
    let away = false
    const timer = setTimeout(() => {
      const asked = { ...values, [option.name]: entry.text }
      api.suggest(channel.value?.id ?? '', command.path, asked, option.name).then(
        (choices) => !away && setAnswer({ for: asking, choices }),
        () => !away && setAnswer({ for: asking, choices: null }),
      )
    }, pauseMs)
    return () => {
      away = true
      clearTimeout(timer)
    }
  }, [asking, asksBot])
  if (option === undefined) return { items: [], empty: null }
  if (!asksBot) return known(option, entry)
  if (answer === null) return { items: [], empty: 'Loading options…' }
  if (answer.choices === null) return { items: [], empty: 'Loading options failed' }
  const items = fromChoices(answer.choices, '')
  return { items, empty: answer.for === asking && items.length === 0 ? 'No options match your search.' : null }
}

function known(option: OptionView, entry: Entry): Offered {
  const mention =
    option.type === 'string' && option.choices.length === 0 ? mentionBefore(entry.text, entry.text.length) : null
  if (mention !== null) {
    const items = mentionSuggestions(mention).map((each) => ({
      ...each,
      entry: { text: entry.text.slice(0, mention.at) + each.insert, chosen: null },
    }))
    return { items, empty: null }
  }
  const items = listFor(option, entry.text)
  const isList = option.choices.length > 0 || !['string', 'integer', 'number', 'attachment'].includes(option.type)
  return { items, empty: isList && items.length === 0 ? 'No options match your search.' : null }
}
