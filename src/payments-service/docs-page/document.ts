import type { Schema, Schemas } from './field-rows.ts'

/** The parts of the OpenAPI document that the page uses. */
export interface Document {
  readonly info: { readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedCallback }>>
  readonly components: { readonly schemas: Schemas }
}

/**
 * A parameter of one operation. A parameter that many operations share is only a reference, and has no place (`in`).
 */
export interface Parameter {
  readonly name: string
  readonly in?: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

export interface DocumentedOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> }
}

export interface DocumentedCallback {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}
