/** Selectable ranges, in days. */
export const TREND_DAYS = [7, 14, 30, 90] as const;
export const TREND_DAYS_MAX = 90;
export const TREND_DAYS_DEFAULT = 30;
