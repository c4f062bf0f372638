"""Eight weeks of two servers of fifty, with everything on: home post, puzzles of the day, tournament, league, ladder, vote
games with predictions, and a contest between the two. Members move soon, late or never; one is banned, some leave, games
are annulled and judged, a role, a channel and a thread are deleted.

`village` has the two servers and what members do, `happenings` what is done on which day, and `checks` what must be so in
the end. The bot and its posts are those of Discord, through HTTP; members move in their games by the use cases.

Six weeks of a community were walked once. What its manager and members met there, and what shows that it is so no more:

| | found then | shown by |
|---|---|---|
| 1 | the image could not be built, and compose passed no setting on | `tests/test_image.py::test_a_build_gets_every_package_of_the_program`, `tests/test_compose.py::test_the_settings_of_the_file_reach_the_container` |
| 2 | a contest's games counted for the host alone | `checks.check_leaderboards` |
| 3 | one missed first move ended a season, and nobody said so | `checks.check_league` |
| 4 | who dropped out was on top; arrows said nothing | `checks.check_league`, `tests/presentation/test_leagues.py::test_arrows_stand_from_the_middle_of_a_season_and_where_a_player_can_go` |
| 5 | commands beside the service took its database away | `tests/test_service.py::test_a_command_beside_the_service_is_the_same_user_with_the_same_folders_and_settings` |
| 6 | silence lost a vote game | `happenings.delete_role`, `tests/play/test_vote_counter.py::test_silence_brings_a_longer_vote_then_an_offer_of_a_draw_and_then_the_flag` |
| 7 | the unknown were seeded above the known | `checks.check_league` |
| 8 | a tournament could not be mended, and did not end | `checks.check_ends`, `tests/bot/features/competitions/tournaments/test_hosting.py::test_the_host_changes_name_time_and_rounds_and_the_players_are_told_once` |
| 9 | opening a league again moved it without asking | `happenings.move_league` |
| 10 | nothing led a manager, and the home post did not say what goes on | `happenings.look_around`, `tests/bot/features/competitions/test_begin_panel.py::test_each_kind_has_a_card_that_says_what_it_needs` |
| 11 | roles that may play shut out the manager and not the voters | `happenings.restrict` |
| 12 | the log said less than it promised | `checks.check_log` |
| 13 | contests ended without a score, and told no player | `checks.check_contest`, `tests/bot/features/competitions/contests/test_contests.py::test_a_manager_of_either_server_begins_a_full_contest` |
| 14 | public pages of servers had no picture to share | `tests/web/test_server_pages.py::test_a_preview_of_a_tournament_has_its_table_or_bracket` |
| 15 | who had not made a move was above a player who had won | `checks.check_cup` |
"""  # noqa: E501 - the table has a row for each
