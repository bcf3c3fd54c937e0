import type { FastifyInstance } from 'fastify'
import { AUTHORIZE_PATH, LOG_IN_SCOPES, TOKEN_PATH } from '../../payments-api/payments-api.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/**
 * Adds the route from which libraries learn how programs log users in (RFC 8414), and that every answer contains `iss`
 * (RFC 9207).
 */
export function addMetadataRoute(app: FastifyInstance, parts: Pick<ServiceParts, 'publicUrl'>): void {
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send({
      issuer: parts.publicUrl,
      authorization_endpoint: `${parts.publicUrl}${AUTHORIZE_PATH}`,
      token_endpoint: `${parts.publicUrl}${TOKEN_PATH}`,
      scopes_supported: LOG_IN_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }),
  )
}
