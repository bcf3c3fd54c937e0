import { type Html, html, withCode } from '../../lib/web/html.ts'

/** The parts of a JSON schema that the declared operations use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
  readonly format?: string
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** The document's schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** Builds a table of an object's fields. Nested fields follow with their full path. */
export function fieldTable(caption: string, schema: Schema, schemas: Schemas): Html | undefined {
  const rows = rowsOf(schema, schemas, '')
  if (rows.length === 0) return undefined
  return html`<div class="scroll"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function rowsOf(given: Schema, schemas: Schemas, path: string): Html[] {
  const schema = resolve(given, schemas)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const known = resolve(field, schemas)
    const here = `${path}${name}`
    const isRequired = schema.required?.includes(name) ?? false
    const row = html`<tr><td><code>${here}</code>${!isRequired && html` <small>optional</small>`}</td><td>${typeOf(known, schemas)}</td><td>${withCode(known.description ?? field.description ?? '')}${limits(known)}</td></tr>`
    const inner =
      known.items === undefined ? rowsOf(known, schemas, `${here}.`) : rowsOf(known.items, schemas, `${here}[].`)
    return [row, ...inner]
  })
}

/** Returns the schema to which a reference leads; any other schema is returned as it is. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema
  return schemas[schema.$ref.replace(/^.*\//, '')] ?? schema
}

function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((each) => typeOf(resolve(each, schemas), schemas)).join(' or ')
  const names = [schema.type ?? 'any'].flat()
  return names.map((name) => (name === 'string' && schema.format !== undefined ? schema.format : name)).join(' or ')
}

function limits({ maxLength, minimum, maximum }: Schema): string | undefined {
  const said = [
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && `to ${maximum}`,
  ].filter((limit) => limit !== false)
  return said.length === 0 ? undefined : ` (${said.join(', ')})`
}
