// next.config.mjs
export default { serverExternalPackages: ['payment-signature-backend'] }
