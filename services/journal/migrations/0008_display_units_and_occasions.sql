-- Units that the pages show figures in; what is stored is metric.
alter table settings
  add column energy_unit text not null default 'kcal',
  add column weight_unit text not null default 'kg',
  add column height_unit text not null default 'cm';

alter table settings
  add constraint settings_units_known check (
    energy_unit in ('kcal', 'kJ') and weight_unit in ('kg', 'lb', 'st')
    and height_unit in ('cm', 'ft')
  );

-- Meal or time of day that the person told, such as breakfast; null where none was told.
alter table items add column occasion text;
