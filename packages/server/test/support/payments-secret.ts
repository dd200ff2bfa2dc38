// What signs payment events. Every test app has it.
export const paymentsSecret = "whsec_of_every_test_app";
