"""Drives a demo-server with every call of WireMock's Python client, as its users do."""

import functools
import pathlib
import tempfile
import time
import unittest

import requests
from wiremock.client import (
    BasicAuthCredentials,
    DelayDistribution,
    DelayDistributionMethods,
    GlobalSetting,
    GlobalSettings,
    HttpMethods,
    InvalidInputException,
    Mapping,
    MappingRequest,
    MappingResponse,
    Mappings,
    NearMisses,
    NearMissMatchPatternRequest,
    NearMissMatchRequest,
    NotFoundException,
    Requests,
    ResponseFaultType,
    Scenarios,
    WireMockMatchers,
)
from wiremock.constants import Config

from server import LIMIT, Server

# The client's own requests would wait for ever.
requests.Session.request = functools.partialmethod(requests.Session.request, timeout=LIMIT)


class ServerTest(unittest.TestCase):
    """Tests with a server of their own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        routes = pathlib.Path(cls.folder.name)
        (routes / "from_file.get.json").write_text('{"from": "a file"}')
        cls.server = Server("mock", "--routes", str(routes), "--shared-state")
        cls.url = cls.server.url
        Config.base_url = f"{cls.url}/__admin"

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.folder.cleanup()


class ProxyTest(ServerTest):
    def test_a_request_through_a_proxy_keeps_the_client_out(self):
        Mappings.retrieve_all_mappings()
        self.assertEqual(requests.get(self.url + "/from_file", headers={"Via": "1.1 proxy"}).status_code, 200)
        with self.assertRaises(NotFoundException):
            Mappings.retrieve_all_mappings()
        self.assertEqual(requests.get(self.url + "/from_file").status_code, 200)


class FileTest(ServerTest):
    def test_persist(self):
        def hello(url, **options):
            return Mappings.create_mapping(
                Mapping(
                    request=MappingRequest(method="GET", url=url),
                    response=MappingResponse(status=200, body="hi"),
                    **options,
                )
            )

        mappings = pathlib.Path(self.folder.name) / "mappings"
        self.assertEqual(Mappings.persist_mappings().status_code, 200)
        self.assertFalse(mappings.exists())
        hello("/saved")
        self.assertEqual(Mappings.persist_mappings().status_code, 200)
        kept = hello("/kept", persistent=True)
        self.assertEqual(len(list(mappings.glob("*.json"))), 2)
        Mappings.delete_mapping(kept.id)
        self.assertEqual(len(list(mappings.glob("get-saved-*.json"))), 1)
        self.assertEqual(len(list(mappings.glob("*.json"))), 1)

    def test_what_is_unknown_is_named(self):
        answer = requests.post(f"{self.url}/__admin/mappings", json={"request": {"urll": "/a"}, "response": {}})
        self.assertEqual(answer.status_code, 422)
        self.assertEqual(answer.json()["errors"][0]["source"]["pointer"], "/request/urll")
        self.assertIn('Write "url"', answer.json()["errors"][0]["detail"])
        stub = {"request": {"url": "/warned"}, "response": {"bdy": "x"}}
        answer = requests.post(f"{self.url}/__admin/mappings", json=stub)
        self.assertEqual(answer.status_code, 201)
        self.assertIn("response.bdy", answer.headers["Backlot-Warning"])

    def test_version_and_files(self):
        self.assertIn("version", requests.get(f"{self.url}/__admin/version").json())
        self.assertEqual(requests.put(f"{self.url}/__admin/files/a/b.txt", data="hello").status_code, 200)
        self.assertEqual(requests.get(f"{self.url}/__admin/files").json(), ["a/b.txt"])
        self.assertEqual(requests.get(f"{self.url}/__admin/files/a/b.txt").text, "hello")


class ClientTest(ServerTest):
    def setUp(self):
        requests.post(f"{self.url}/__admin/reset").raise_for_status()

    def get(self, path, **options):
        return requests.get(self.url + path, **options)

    def hello(self, **options):
        mapping = Mapping(
            request=MappingRequest(method=HttpMethods.GET, url_path="/hello"),
            response=MappingResponse(status=200, body="hi"),
            persistent=False,
            **options,
        )
        return Mappings.create_mapping(mapping)

    # Mappings

    def test_create(self):
        mapping = self.hello(priority=3, metadata={"team": "red"})
        self.assertEqual(len(mapping.id), 36)
        self.assertEqual(mapping.request.url_path, "/hello")
        self.assertEqual(mapping.metadata, {"team": "red"})
        self.assertEqual(self.get("/hello").text, "hi")

    def test_create_what_can_not_be(self):
        mapping = Mapping(request=MappingRequest(method="GET"), response=MappingResponse(status=20))
        with self.assertRaises(InvalidInputException) as raised:
            Mappings.create_mapping(mapping)
        self.assertIn("/response/status", str(raised.exception))

    def test_retrieve(self):
        mapping = self.hello()
        everything = Mappings.retrieve_all_mappings()
        self.assertEqual(everything.meta.total, 2)
        self.assertEqual([m.id for m in everything.mappings][0], mapping.id)
        self.assertEqual(len(Mappings.retrieve_all_mappings(parameters={"limit": 1}).mappings), 1)
        self.assertEqual(Mappings.retrieve_mapping(mapping.id).response.body, "hi")
        with self.assertRaises(NotFoundException):
            Mappings.retrieve_mapping("00000000-0000-4000-8000-000000000000")

    def test_update(self):
        mapping = self.hello()
        mapping.response.body = "bye"
        self.assertEqual(Mappings.update_mapping(mapping).id, mapping.id)
        self.assertEqual(self.get("/hello").text, "bye")

    def test_delete(self):
        mapping = self.hello()
        self.assertEqual(Mappings.delete_mapping(mapping.id).status_code, 200)
        self.assertEqual(self.get("/hello").status_code, 404)
        with self.assertRaises(NotFoundException):
            Mappings.delete_mapping(mapping.id)

    def test_delete_all_and_reset(self):
        self.hello()
        self.assertEqual(self.get("/from_file").json(), {"from": "a file"})
        self.assertEqual(Mappings.delete_all_mappings().status_code, 200)
        self.assertEqual(Mappings.retrieve_all_mappings().mappings, [])
        self.assertEqual(self.get("/from_file").status_code, 404)
        self.assertEqual(Mappings.reset_mappings().status_code, 200)
        self.assertEqual(self.get("/from_file").json(), {"from": "a file"})
        self.assertEqual(self.get("/hello").status_code, 404)

    def test_delete_by_metadata(self):
        self.hello(metadata={"team": "red"})
        self.assertEqual(
            Mappings.delete_mapping_by_metadata(
                {"matchesJsonPath": {"expression": "$.team", "equalTo": "blue"}}
            ).status_code,
            200,
        )
        self.assertEqual(self.get("/hello").text, "hi")
        Mappings.delete_mapping_by_metadata({"matchesJsonPath": {"expression": "$.team", "equalTo": "red"}})
        self.assertEqual(self.get("/hello").status_code, 404)

    # What mappings can say

    def test_matchers(self):
        Mappings.create_mapping(
            Mapping(
                priority=1,
                request=MappingRequest(
                    method=HttpMethods.POST,
                    url_path_pattern="/things/[0-9]+",
                    headers={"Accept": {WireMockMatchers.CONTAINS: "json"}},
                    query_parameters={"page": {WireMockMatchers.EQUAL_TO: "2"}},
                    cookies={"theme": {WireMockMatchers.MATCHES: "d.rk"}},
                    basic_auth_credentials=BasicAuthCredentials(username="ada", password="pw"),
                    body_patterns=[
                        {WireMockMatchers.MATCHES_JSON_PATH: "$.name"},
                        {WireMockMatchers.EQUAL_TO_JSON: '{"name": "x"}', "ignoreExtraElements": True},
                    ],
                ),
                response=MappingResponse(status=201, json_body={"ok": True}, headers={"X-A": "b"}),
            )
        )
        right = dict(
            params={"page": "2"},
            headers={"Accept": "application/json"},
            cookies={"theme": "dark"},
            auth=("ada", "pw"),
            json={"name": "x", "more": 1},
        )
        answer = requests.post(f"{self.url}/things/7", **right)
        self.assertEqual((answer.status_code, answer.json(), answer.headers["X-A"]), (201, {"ok": True}, "b"))
        for key, wrong in [
            ("params", {"page": "3"}),
            ("headers", {"Accept": "text/plain"}),
            ("cookies", {"theme": "light"}),
            ("auth", ("ada", "wp")),
            ("json", {"name": "y"}),
        ]:
            with self.subTest(key):
                answer = requests.post(f"{self.url}/things/7", **{**right, key: wrong})
                self.assertEqual(answer.status_code, 404)

    def test_faults(self):
        for fault in [
            ResponseFaultType.EMPTY_RESPONSE,
            ResponseFaultType.MALFORMED_RESPONSE_CHUNK,
            ResponseFaultType.RANDOM_DATA_THEN_CLOSE,
            "CONNECTION_RESET_BY_PEER",
        ]:
            with self.subTest(fault):
                Mappings.create_mapping(
                    Mapping(
                        request=MappingRequest(method="GET", url=f"/{fault}"), response=MappingResponse(fault=fault)
                    )
                )
                with self.assertRaises(requests.exceptions.RequestException):
                    self.get(f"/{fault}")

    def test_delays(self):
        uniform = DelayDistribution(distribution_type=DelayDistributionMethods.UNIFORM, lower=20, upper=30)
        for name, response in [
            ("fixed", MappingResponse(status=200, fixed_delay_milliseconds=20)),
            ("uniform", MappingResponse(status=200, delay_distribution=uniform)),
        ]:
            with self.subTest(name):
                Mappings.create_mapping(
                    Mapping(request=MappingRequest(method="GET", url=f"/{name}"), response=response)
                )
                begin = time.monotonic()
                self.assertEqual(self.get(f"/{name}").status_code, 200)
                self.assertGreaterEqual(time.monotonic() - begin, 0.02)

    # Requests

    def test_received_requests(self):
        self.hello()
        for number in range(3):
            self.get(f"/hello?n={number}", headers={"Authorization": "Bearer s3cret"}, cookies={"session": "s3cret"})
        everything = Requests.get_all_received_requests(parameters={})
        self.assertEqual(everything.meta.total, 3)
        self.assertFalse(everything.request_journal_disabled)
        self.assertEqual([r.request.url for r in everything.requests], [f"/hello?n={n}" for n in (2, 1, 0)])
        newest = everything.requests[0]
        self.assertEqual(newest.request.absolute_url, f"{self.url}/hello?n=2")
        self.assertTrue(newest.response_definition.from_configured_stub)
        self.assertEqual(newest.response_definition.status, 200)
        self.assertNotIn("s3cret", str(newest.get_json_data()))
        self.assertEqual(Requests.get_request(newest.id).request.url, "/hello?n=2")
        self.assertEqual(len(Requests.get_all_received_requests(limit=2, parameters={}).requests), 2)
        later = Requests.get_all_received_requests(since="2120-01-01T00:00:00Z", parameters={})
        self.assertEqual(later.requests, [])
        with self.assertRaises(NotFoundException):
            Requests.get_request("00000000-0000-4000-8000-000000000000")

    def test_count_and_find(self):
        self.hello()
        self.get("/hello", headers={"Authorization": "Bearer s3cret"})
        self.get("/hello")
        self.get("/nowhere")
        pattern = NearMissMatchPatternRequest(method="GET", url_path="/hello")
        self.assertEqual(Requests.get_matching_request_count(pattern).count, 2)
        self.assertEqual([r.url for r in Requests.get_matching_requests(pattern).requests], ["/hello", "/hello"])
        secret = {"Authorization": {WireMockMatchers.EQUAL_TO: "Bearer s3cret"}}
        pattern = NearMissMatchPatternRequest(method="GET", url="/hello", headers=secret)
        self.assertEqual(Requests.get_matching_request_count(pattern).count, 1)
        self.assertEqual([r.url for r in Requests.get_unmatched_requests().requests], ["/nowhere"])

    def test_reset_of_the_journal(self):
        self.get("/nowhere")
        self.assertEqual(Requests.reset_request_journal().status_code, 200)
        self.assertEqual(Requests.get_all_received_requests(parameters={}).requests, [])

    # Near misses

    def test_near_misses(self):
        self.hello()
        self.get("/helo")
        misses = Requests.get_unmatched_requests_near_misses().near_misses
        self.assertEqual(misses[0].request.url, "/helo")
        self.assertEqual(misses[0].request_pattern.method, "GET")
        self.assertGreater(misses[0].match_result.distance, 0)
        request = NearMissMatchRequest(url="/hullo", method="GET", absolute_url=f"{self.url}/hullo")
        misses = NearMisses.find_nearest_misses_by_request(request).near_misses
        self.assertEqual(misses[0].request.url, "/hullo")
        pattern = NearMissMatchPatternRequest(url="/hell", method="GET")
        misses = NearMisses.find_nearest_misses_by_request_pattern(pattern).near_misses
        self.assertEqual(misses[0].request.url, "/helo")

    # Scenarios and settings

    def test_scenarios(self):
        for before, after in [("Started", "Half"), ("Half", "Done")]:
            Mappings.create_mapping(
                Mapping(
                    request=MappingRequest(method="GET", url="/next"),
                    response=MappingResponse(status=200, body=after),
                    scenario_name="to do",
                    required_scenario_state=before,
                    new_scenario_state=after,
                )
            )
        self.assertEqual([self.get("/next").text for _ in range(2)], ["Half", "Done"])
        self.assertEqual(self.get("/next").status_code, 404)
        self.assertEqual(Scenarios.reset_all_scenarios().status_code, 200)
        self.assertEqual(self.get("/next").text, "Half")

    def test_settings(self):
        self.hello()
        GlobalSettings.update_global_settings(GlobalSetting(fixed_delay=20))
        begin = time.monotonic()
        self.assertEqual(self.get("/hello").text, "hi")
        self.assertGreaterEqual(time.monotonic() - begin, 0.02)
        GlobalSettings.update_global_settings(GlobalSetting(fixed_delay=0))
        with self.assertRaises(InvalidInputException):
            GlobalSettings.update_global_settings(GlobalSetting(fixed_delay=-1))

    # The rest

    def test_the_client_finds_a_running_server(self):
        self.assertEqual(requests.get(Config.base_url).status_code, 200)
        self.assertEqual(requests.get(Config.base_url, headers={"Host": "evil.example"}).status_code, 404)
        self.assertEqual(requests.get(Config.base_url, headers={"Sec-Fetch-Site": "cross-site"}).status_code, 404)


if __name__ == "__main__":
    unittest.main()
