import { type Action, mustHave, WrongForm } from './action.ts'
import type { Console } from './console.ts'
import { isSecret, secretName } from './secret-fields.ts'
import type { SettingsAdministration, SettingsChange } from './settings.ts'

/** Matches the name of a setting. Fields with other names are not settings. */
const NAME = /^[A-Z][A-Z0-9_]*$/

const page = '/console/settings'

/** Operators' changes to the settings. */
export const SETTINGS_ACTIONS: Readonly<Record<string, Action>> = {
  'settings-change': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const { changed, notes } = await settingsOf(parts).change(filledIn(form))
      await told(parts, operator, `changed settings for the next start: ${changed.join('; ')}`)
      return { said: 'said.settings-changed', once: [], notes }
    },
  },
  'settings-propose': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const { changed, notes } = await settingsOf(parts).propose({ ...filledIn(form), operator })
      const when = parts.isAlone
        ? 'They can be written in 24 hours; until then anybody in the console can cancel them'
        : 'A second operator has to agree in the console within a day'
      await told(parts, operator, `proposed settings: ${changed.join('; ')}. ${when}.`)
      return { said: 'said.settings-proposed', once: [], notes }
    },
  },
  'settings-agree': {
    ...{ fresh: true, page },
    async run(parts, form, operator) {
      const proposal = mustHave(form, 'proposal')
      const { changed, notes, by } = await settingsOf(parts).agree({ proposal, operator })
      await told(
        parts,
        operator,
        `had settings written that ${person(by)} proposed, for the next start: ${changed.join('; ')}`,
      )
      return { said: 'said.settings-changed', once: [], notes }
    },
  },
  'settings-cancel': {
    ...{ fresh: false, page },
    async run(parts, form, operator) {
      const { by } = settingsOf(parts).cancel(mustHave(form, 'proposal'))
      await told(parts, operator, `cancelled settings that ${person(by)} proposed`)
      return 'said.settings-cancelled'
    },
  },
}

function settingsOf({ settings }: Console): SettingsAdministration {
  if (settings === undefined) throw new WrongForm('settings.none')
  return settings
}

function filledIn(form: URLSearchParams): SettingsChange {
  const named = [...form].map(([name, value]) => [isSecret(name) ? secretName(name) : name, value] as const)
  return { values: Object.fromEntries(named.filter(([name]) => NAME.test(name))), version: form.get('version') ?? '' }
}

async function told({ administration }: Console, operator: string, did: string): Promise<void> {
  await administration().tellOfOperator({ operator, did })
}

/**
 * Returns a mention of the operator, so that Discord shows the name; any id that is not from Discord stays as it is.
 */
function person(operator: string): string {
  return /^\d{17,20}$/.test(operator) ? `<@${operator}>` : operator
}
