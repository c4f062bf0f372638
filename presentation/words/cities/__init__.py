"""The cities of the world, by which players name their time zone."""

from presentation.words.cities.cities import City, cities_like, cities_named, fold, people_of_zones

__all__ = ["City", "cities_like", "cities_named", "fold", "people_of_zones"]
