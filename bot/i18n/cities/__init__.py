"""The cities of the world, by which players name their time zone."""

from bot.i18n.cities.cities import City, cities_like, cities_named, fold, people_of_zones

__all__ = ["City", "cities_like", "cities_named", "fold", "people_of_zones"]
