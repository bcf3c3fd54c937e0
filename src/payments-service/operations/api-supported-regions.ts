import { operations } from '../../payments-api/payments-api.ts'
import { implement } from '../engine/http/operation.ts'

/**
 * API Supported Regions: reports whether the service is offered where an IP address is located. No other server is
 * asked.
 */
export const apiSupportedRegions = implement(operations.apiSupportedRegions, async ({ params, parts }) => {
  const { country, region, isSupported } = await parts.regions.lookUp(params.ipAddress)
  return { data: { ipAddress: params.ipAddress, isSupported, ipCountry: country, ipRegion: region } }
})
