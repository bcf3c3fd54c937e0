import { kind } from '../rules/component-kinds.ts'
import type { JsonObject } from '../rules/form.ts'
import { NotPossible } from './not-possible.ts'
import type { Resolved } from './resolved.ts'

/**
 * Checks the choices in a menu, and returns the values that the bot gets. Throws `NotPossible` if a choice is not
 * allowed.
 */
export function checkSelection(
  select: JsonObject,
  chosen: readonly string[],
  resolved: Resolved,
  field: string | null = null,
): string[] {
  const optional = select.required === false && chosen.length === 0
  const min = optional ? 0 : Number(select.min_values ?? 1)
  const max = Number(select.max_values ?? 1)
  if (chosen.length < min) throw new NotPossible(`Select at least ${min}.`, field)
  if (chosen.length > max) throw new NotPossible(`Select at most ${max}.`, field)
  return chosen.map((value) => {
    const found = resolve(select, value, resolved)
    if (found === undefined) throw new NotPossible(`"${value}" cannot be selected here.`, field)
    return found
  })
}

function resolve(select: JsonObject, value: string, resolved: Resolved): string | undefined {
  switch (select.type) {
    case kind.stringSelect: {
      const options = select.options as JsonObject[]
      return options.some((option) => option.value === value) ? value : undefined
    }
    case kind.userSelect:
      return resolved.user(value)
    case kind.roleSelect:
      return resolved.role(value)
    case kind.mentionableSelect:
      return resolved.mentionable(value)
    default:
      return resolved.channel(value)
  }
}
